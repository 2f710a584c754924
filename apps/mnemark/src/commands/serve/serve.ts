import type { Invocation } from '../../command.ts'
import { wholeNumber } from '../../command-line/option-values.ts'
import type { Settings } from '../../config/load-settings.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { settleFirstIndex } from '../../memory/index/first-index.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { isolate, printableName } from '../../terminal/isolate.ts'
import { syncLog } from '../../operations/sync-log.ts'
import { readVersion } from '../../terminal/version.ts'
import { startServer } from '../../serve/start-server.ts'
import { serveToken } from '../../serve/token.ts'
import type { ServeToken } from '../../serve/token.ts'
import { AgentMemory } from '../../operations/agent-memory.ts'
import { commandSettings } from '../command-settings.ts'
import { untilStopped } from './until-stopped.ts'

/** Keeps the index fresh and answers over HTTP and MCP until stopped; `serve token` prints the token. */
export async function serve(invocation: Invocation): Promise<ExitCode> {
  const { options, words } = invocation
  const settings = withOptions(await commandSettings(invocation), invocation)
  if (words[0] !== undefined && words[0] !== 'token') {
    throw new CommandError('bad-use', `serve takes nothing, or "token"; got ${JSON.stringify(words[0])}`, {
      next: 'mnemark serve --help shows examples.',
    })
  }
  const token = serveToken(settings, { isRenewing: options.has('new') })
  if (words[0] === 'token') return showToken(token, invocation)
  requireMemory(settings)
  await settleFirstIndex(settings, { console: invocation.console, isAgreed: invocation.options.has('yes') })
  return run(settings, token, invocation)
}

/** Options override the configuration. */
function withOptions(settings: Settings, { options }: Invocation): Settings {
  const port = wholeNumber(options, 'port', 0, 65_535) ?? settings.serve.port
  const host = options.get('host') ?? settings.serve.host
  return {
    ...settings,
    serve: { ...settings.serve, port, host, isReadOnly: options.has('read-only') || settings.serve.isReadOnly },
  }
}

function showToken({ token, file }: ServeToken, { console }: Invocation): ExitCode {
  console.document({ token, file })
  console.verbatim(token)
  if (file !== null) console.note(`mnemark: kept at ${file}`)
  return EXIT.done
}

async function run(settings: Settings, { token, file, isNew }: ServeToken, { console }: Invocation): Promise<ExitCode> {
  const log = (message: string): void => console.note(`mnemark: ${message}`)
  const { host, port, isReadOnly, isMasking } = settings.serve
  const { watchDebounceMs } = settings.sync
  const memory = await AgentMemory.open(settings, {
    isReadOnly,
    isMasking,
    isWatching: true,
    isRemote: true,
    log,
    watch: { onRefusal: log, ...(watchDebounceMs === undefined ? {} : { debounceMs: watchDebounceMs }) },
  })
  try {
    if (memory.note !== null) log(memory.note)
    memory.listen(syncLog(log))
    const server = await startServer({ memory, token, version: readVersion(), host, port, log })
    memory.requestSync({ reason: 'start' })
    console.document({
      event: 'serving',
      url: server.url,
      mcp: `${server.url}/mcp`,
      workspace: settings.workspace,
      index: memory.indexFile,
    })
    console.print(
      `serving ${isolate(printableName(settings.workspace))} at ${server.url} (MCP at ${server.url}/mcp); Ctrl+C stops`,
    )
    if (isNew) console.print(`token, shown this once: ${token}`)
    else if (file !== null) log('mnemark serve token prints the token')
    if (!isLoopback(host))
      log(`warning: ${host} may be reached by other machines, and the token goes over the network in the clear`)
    await untilStopped(process)
    await server.close()
    console.document({ event: 'stopped' })
    return EXIT.done
  } finally {
    await memory.close()
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
