import { ollamaWire, openAIWire, type ProtocolServer, startProtocolServer, voyageWire } from '../../packages/testkit/src/index.ts'

const KEY = 'sk-key-of-a-reader-0123456789'

/** The services that a page speaks of, played by the testkit, and the user's own configuration that leads there. */
export interface Services extends AsyncDisposable {
  readonly configuration: string
}

/** Pages whose commands embed, with what their reader has set before. */
const SETTINGS: Readonly<Record<string, object>> = {
  'docs/batch.md': { provider: 'openai', remote: { batch: { enabled: true, pollIntervalMs: 5 } } },
  'docs/guides/add-embeddings.md': {},
}

export async function servicesOf(page: string): Promise<Services | undefined> {
  const memorySearch = SETTINGS[page.replace('.ar.md', '.md')]
  if (memorySearch === undefined) return undefined
  const openai = await startProtocolServer(openAIWire, { apiKey: KEY })
  // Its clock advances with each request, so that a job ends while it is polled.
  openai.batch.clock.msPerRequest = 15_000
  const voyage = await startProtocolServer(voyageWire, { apiKey: KEY })
  const ollama = await startProtocolServer(ollamaWire)
  const entry = ({ baseUrl }: ProtocolServer, apiKey?: string): object => ({
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  const providers = { openai: entry(openai, KEY), voyage: entry(voyage, KEY), ollama: entry(ollama) }
  return {
    configuration: JSON.stringify({ agents: { defaults: { memorySearch } }, models: { providers } }),
    [Symbol.asyncDispose]: async () => {
      for (const server of [openai, voyage, ollama]) await server.close()
    },
  }
}
