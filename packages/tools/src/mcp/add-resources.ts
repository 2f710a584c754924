import { ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { McpServer, ReadResourceResult, Resource, ServerContext } from '@modelcontextprotocol/server'
import { harmlessName, inEnvelope, neutralise } from '../reply/data-envelope.ts'
import type { MemoryCall, StartupText, ToolHost } from '../host/host.ts'
import { NOTES_ADDRESS, noteAddress } from '../tools/note-address.ts'
import { callOf, failureOf } from './serving.ts'
import type { McpServing } from './serving.ts'

const CONTEXT_URI = 'mnemark://context'
const NOTE_TEMPLATE = `${NOTES_ADDRESS}{+path}`
/** Enough for choosing from a list; other notes are found by search. */
const LISTED_NOTES = 1_000
const COMPLETIONS = 100
const MARKDOWN = 'text/markdown'
const NOTE_LINES = 1_000_000

/** Adds the start-up context and a list of all notes, if the host has them, and every note by its path. */
export function addResources(server: McpServer, serving: McpServing): void {
  const { context: begin, paths } = bound(serving.host)
  if (begin !== null) addContext(server, serving, begin)
  const template = new ResourceTemplate(NOTE_TEMPLATE, {
    list: async (context) => ({
      resources:
        paths === null ? [] : (await reading(serving, context, async (call) => listed(await paths(call)))).map(resourceOf),
    }),
  })
  server.registerResource(
    'note',
    template,
    { title: 'Note', description: 'A note of the memory, by its path.', mimeType: MARKDOWN },
    async (uri, _variables, context) =>
      contents(uri.href, await reading(serving, context, (call) => readNote(serving, uri, call))),
  )
  if (paths !== null) addCompletion(server, serving, paths)
}

type Begin = NonNullable<ToolHost['context']>
type Paths = NonNullable<ToolHost['paths']>

function bound(host: ToolHost): { readonly context: Begin | null; readonly paths: Paths | null } {
  return { context: host.context?.bind(host) ?? null, paths: host.paths?.bind(host) ?? null }
}

function addContext(server: McpServer, serving: McpServing, begin: Begin): void {
  server.registerResource(
    'context',
    CONTEXT_URI,
    {
      title: 'Start-up context',
      description:
        'What a session begins with: the character file, the long-term file in a private main session, and the logs of today and yesterday.',
      mimeType: MARKDOWN,
    },
    async (uri, context) => contents(uri.href, await reading(serving, context, async (call) => wordsOf(await begin({}, call)))),
  )
}

/**
 * By hand, because the completion of a template does not know the caller, and note names are only for callers who may see the
 * notes.
 */
function addCompletion({ server }: McpServer, serving: McpServing, paths: Paths): void {
  server.registerCapabilities({ completions: {} })
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }, context) => {
    const isNote = ref.type === 'ref/resource' && ref.uri === NOTE_TEMPLATE && argument.name === 'path'
    const found = isNote ? await reading(serving, context, async (call) => matching(await paths(call), argument.value)) : []
    return { completion: { values: found.slice(0, COMPLETIONS), total: found.length, hasMore: found.length > COMPLETIONS } }
  })
}

/** Runs one reading; a failure is explained so that a client can act on it. */
async function reading<Result>(
  serving: McpServing,
  context: ServerContext,
  work: (call: MemoryCall) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(callOf(context, serving))
  } catch (error) {
    context.mcpReq.signal.throwIfAborted()
    if (error instanceof ResourceNotFoundError) throw error
    const { code, message, next } = failureOf(error, context, serving)
    serving.log(`reading a resource failed: ${code}`)
    throw new Error(`${message} ${next}`, { cause: error })
  }
}

function contents(uri: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType: MARKDOWN, text }] }
}

function wordsOf({ text, leftOut, problems }: StartupText): string {
  const remarks = [...leftOut.map((path) => `No room for ${harmlessName(path)}.`), ...problems.map(harmlessName)]
  return [text === '' ? 'There is nothing to begin with yet.' : text, ...remarks].join('\n')
}

async function readNote({ host }: McpServing, uri: URL, call: MemoryCall): Promise<string> {
  const path = pathOf(uri)
  const reply = await host.read({ path, lines: NOTE_LINES }, call)
  if (reply.status === 'not-found') throw new ResourceNotFoundError(uri.href)
  const more = reply.nextFrom === undefined ? [] : [`More from line ${reply.nextFrom}: memory_get reads it.`]
  return [inEnvelope(neutralise(reply.text)), ...more].join('\n')
}

/** The path that `noteAddress` encoded; a URI that cannot be decoded names no note. */
function pathOf(uri: URL): string {
  try {
    return decodeURIComponent(uri.href.slice(NOTES_ADDRESS.length))
  } catch {
    throw new ResourceNotFoundError(uri.href)
  }
}

function resourceOf(path: string): Resource {
  return { uri: noteAddress(path), name: harmlessName(path), mimeType: MARKDOWN }
}

/** Notes of the workspace itself first, then the latest by name. */
function listed(paths: readonly string[]): readonly string[] {
  const [top, below] = [paths.filter((path) => !path.includes('/')), paths.filter((path) => path.includes('/'))]
  return [...top, ...below.toReversed()].slice(0, LISTED_NOTES)
}

function matching(paths: readonly string[], value: string): readonly string[] {
  const wanted = value.toLowerCase()
  return paths.filter((path) => path.toLowerCase().includes(wanted))
}
