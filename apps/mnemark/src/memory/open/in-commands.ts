import type { Degradation, MemoryBackend } from '@mnemark/spec'

/** The engine's option names, and the commands or settings for them. */
const IN_COMMANDS: readonly (readonly [option: RegExp, command: string])[] = [
  [/`force: true`/g, '`mnemark index --force`'],
  [/`fallback: true`/g, '`mnemark index --fallback`'],
  [/`reEmbed: '([^']+)'`/g, '`mnemark index --re-embed $1`'],
  [/`keywordsOnly: true`/g, '--keywords'],
  [/`reranking\.(\w+)`/g, '`models.rerank.$1`'],
  [/give a second provider in `embeddings`/g, 'set memorySearch.fallback'],
  [/Give one in `embeddings`/g, 'Set memorySearch.provider'],
]

export function commandsIn(message: string): string {
  return IN_COMMANDS.reduce((text, [option, command]) => text.replace(option, command), message)
}

/** Wraps a memory so that its messages name commands as the next step. */
export function inCommands(memory: MemoryBackend): MemoryBackend {
  return {
    specVersion: memory.specVersion,
    name: memory.name,
    search: async (query) => told(await memory.search(query)),
    list: async (query) => told(await memory.list(query)),
    sync: async (options) => {
      const report = told(await memory.sync(options))
      return report.notes === undefined ? report : { ...report, notes: report.notes.map(commandsIn) }
    },
    status: async (options) => told(await memory.status(options)),
    read: (request) => memory.read(request),
    close: () => memory.close(),
  }
}

function told<Answer extends { readonly degraded: readonly Degradation[] }>(answer: Answer): Answer {
  return { ...answer, degraded: answer.degraded.map(({ code, message }) => ({ code, message: commandsIn(message) })) }
}
