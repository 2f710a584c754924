import { openAIWire, startProtocolServer } from '@mnemark/testkit'
import type { ProtocolServer } from '@mnemark/testkit'
import type { Sandbox } from '../harness/launcher.ts'
import { jsonBeside } from '../harness/run-beside.ts'

const KEY = 'sk-key-of-the-test-0123456789'

/** A workspace whose provider is OpenAI's API on loopback, asked for by name. */
export interface NamedProvider extends AsyncDisposable {
  readonly server: ProtocolServer
  /** Texts that were sent, but for this query. */
  sentBeside(query: string): number
  readonly environment: Readonly<Record<string, string>>
  run(...argv: readonly string[]): ReturnType<typeof jsonBeside>
}

/** `memorySearch` comes on top of the provider's own settings. */
export async function nameProvider(box: Sandbox, memorySearch: object = {}): Promise<NamedProvider> {
  const server = await startProtocolServer(openAIWire, { apiKey: KEY })
  const environment = { THE_KEY: KEY }
  const remote = { baseUrl: server.baseUrl, apiKey: '${THE_KEY}' }
  const settings = { provider: 'openai', outputDimensionality: 32, remote, ...memorySearch }
  box.configure(JSON.stringify({ agents: { defaults: { memorySearch: settings } } }))
  return {
    server,
    sentBeside: (query) => server.calls.flatMap(({ texts }) => texts).filter((text) => text !== query).length,
    environment,
    run: (...argv) => jsonBeside(box, argv, environment),
    [Symbol.asyncDispose]: () => server.close(),
  }
}
