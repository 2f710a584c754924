import { createMcpServer } from '@mnemark/tools/mcp'
import type { Invocation } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { lookAtFirstIndex, whyHeld } from '../../memory/index/first-index.ts'
import { ownerUnlessNamed, withChatOfKey } from '../../memory/open/owner-caller.ts'
import { printable } from '../../terminal/isolate.ts'
import { readVersion } from '../../terminal/version.ts'
import { AgentMemory } from '../../operations/agent-memory.ts'
import { createSwitchedOffServer } from '../../mcp/switched-off-server.ts'
import { serveOverStdio } from '../../mcp/serve-stdio.ts'
import type { StdioServing } from '../../mcp/serve-stdio.ts'
import { syncLog } from '../../operations/sync-log.ts'
import { readCaller } from '../caller-options.ts'
import { commandSettings } from '../command-settings.ts'
import { untilStopped } from './until-stopped.ts'

/** Serves the memory to one MCP client over stdin and stdout; all other output goes to stderr. */
export async function mcp(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const settings = await commandSettings(invocation, { mayAsk: false })
  const log = (message: string): void => console.note(`mnemark: ${message}`)
  const { switchedOffBy } = settings
  if (switchedOffBy !== null) {
    log(`memory is switched off by ${switchedOffBy}: there are no tools`)
    return serveUntilEnded(() => createSwitchedOffServer(readVersion(), switchedOffBy), log)
  }
  // The one client of a stdio server is the agent of this machine's user, unless options name its session.
  const caller = withChatOfKey(ownerUnlessNamed(readCaller(options)))
  const first = await lookAtFirstIndex(settings)
  const held = first === null ? null : whyHeld(first, settings)
  if (first !== null) log(held ?? `first index of ${printable(first.folder)}: ${first.size}`)
  const memory = await AgentMemory.open(settings, {
    ...(held === null ? {} : { held }),
    isReadOnly: options.has('read-only') || settings.serve.isReadOnly,
    isMasking: settings.serve.isMasking,
    isWatching: false,
    log,
  })
  try {
    if (memory.note !== null) log(memory.note)
    memory.listen(syncLog(log))
    memory.beginSession(caller.sessionKey ?? '')
    const serving = {
      host: memory,
      version: readVersion(),
      callerOf: () => caller,
      overview: held === null ? await memory.overview({ caller }) : null,
      isConnector: options.has('connector') || settings.serve.isConnector,
      log,
    }
    return await serveUntilEnded(() => createMcpServer(serving), log)
  } finally {
    await memory.close()
  }
}

async function serveUntilEnded(createServer: StdioServing['createServer'], log: StdioServing['log']): Promise<ExitCode> {
  const serving = serveOverStdio({ createServer, log, stdin: process.stdin, stdout: process.stdout })
  await untilStopped(process, serving.ended)
  await serving.stop()
  return EXIT.done
}
