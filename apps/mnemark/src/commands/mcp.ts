import type { Invocation } from '../command.ts'
import { loadSettings } from '../config/load-settings.ts'
import { EXIT } from '../exit-code.ts'
import type { ExitCode } from '../exit-code.ts'
import { requireMemory } from '../memory/memory-off.ts'
import { readVersion } from '../output/version.ts'
import { AgentMemory } from '../tools/agent-memory.ts'
import { serveOverStdio } from '../mcp/serve-stdio.ts'
import { syncLog } from '../output/sync-log.ts'
import { readCaller } from './caller-options.ts'
import { untilStopped } from './until-stopped.ts'

/** Serves the memory to one MCP client over stdin and stdout; whatever else is to be said goes to stderr. */
export async function mcp(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const settings = await loadSettings(invocation.globalOptions, invocation.currentFolder, invocation.environment)
  requireMemory(settings)
  for (const warning of settings.warnings) console.note(`mnemark: ${warning}`)
  const log = (message: string): void => console.note(`mnemark: ${message}`)
  const memory = await AgentMemory.open(settings, {
    isReadOnly: options.has('read-only') || settings.serve.isReadOnly,
    isMasking: settings.serve.isMasking,
    isWatching: false,
    log,
  })
  if (memory.note !== null) log(memory.note)
  memory.listen(syncLog(log))
  // The one client of a stdio server is the agent of this machine's user.
  const caller = { chatType: 'direct', ...readCaller(options) } as const
  memory.beginSession(caller.sessionKey ?? '')
  const serving = serveOverStdio({ memory, version: readVersion(), caller, log, stdin: process.stdin })
  await untilStopped(process, serving.ended)
  await serving.stop()
  await memory.close()
  return EXIT.done
}
