import { expect, onTestFinished, test } from 'vitest'
import { openMemoryTools } from '../../src/operations/open-memory-tools.ts'
import { Sandbox } from '../harness/launcher.ts'
import { connect, wordsOf } from '../harness/mcp-clients.ts'
import { serveConfig } from '../harness/serve-process.ts'
import { startServe } from '../harness/start-serve.ts'

/** Calls a tool by one protocol and returns the text for the model. */
type Call = (name: string, input: Readonly<Record<string, unknown>>) => Promise<string>

const inProcess = async (box: Sandbox): Promise<Awaited<ReturnType<typeof openMemoryTools>>> => {
  const tools = await openMemoryTools({ workspace: box.workspace, state: `${box.root}/state` })
  onTestFinished(() => tools.close())
  return tools
}

/** Every way to the tools. */
const SURFACES: Readonly<Record<string, (box: Sandbox) => Promise<Call>>> = {
  'MCP over stdio': async (box) => overMcp('stdio', box),
  'MCP over HTTP': async (box) => overMcp('http', box),
  'POST /v1/tools': async (box) => {
    const server = await startServe(box)
    return async (name, input) => {
      const { body } = await server.post(`/v1/tools/${name}`, input)
      const { text, error } = body as { text?: string; error?: { message: string; next: string } }
      return text ?? `${error?.message} ${error?.next}`
    }
  },
  'mnemark/tools': async (box) => {
    const tools = await inProcess(box)
    return async (name, input) => (await tools.call(name, input)).text
  },
  'the AI SDK': async (box) => {
    const { aiSdk } = await inProcess(box)
    return async (name, input) => String(await aiSdk[name]?.execute(input, {}).catch((error: Error) => error.message))
  },
}

async function overMcp(transport: 'stdio' | 'http', box: Sandbox): Promise<Call> {
  const client = await connect(transport, box)
  return async (name, input) => wordsOf(await client.callTool({ name, arguments: { ...input } }))
}

const LINES = Array.from({ length: 20 }, (_, line) => `line ${line + 1}`).join('\n')
const NOTES = {
  'MEMORY.md': '# Memory\n\n- VLAN 10 is for guests #home\n',
  'memory/2026-03-14.md': '# Saturday\n\n- boat #boat\n',
  'memory/x.md': LINES,
  'memory/شبكة البيت.md': LINES,
  'memory/家庭网络.md': LINES,
  'memory/home network.md': LINES,
  'memory/edit.md': '# Edit\n\n- tea\n- rum\n',
  'mnemark.json5': serveConfig(),
}
/** Lines 9 to 11 and no others. */
const NINE_TO_ELEVEN = /#L9-L11\n> line 9\n> line 10\n> line 11\n<\/untrusted-data>/
const NINE = /#L9-L9\n> line 9\n<\/untrusted-data>/

/** Each named case: the tool, its input, and what it answers. In this order, on notes of their own. */
const CASES: readonly (readonly [string, string, Readonly<Record<string, unknown>>, RegExp])[] = [
  ['P71', 'memory_get', { path: 'memory/x.md#L9-L16', lines: 3 }, NINE_TO_ELEVEN],
  ['P71', 'memory_get', { path: 'memory/x.md#L2-L3', from: 9, lines: 3 }, NINE_TO_ELEVEN],
  ['P71', 'memory_get', { path: 'memory/x.md:9' }, NINE],
  ['P71', 'memory_get', { path: 'memory/x.md#L9' }, NINE],
  ['P71', 'memory_get', { path: 'memory/x.md#L9', lines: '٣' }, NINE_TO_ELEVEN],
  ['P71', 'memory_get', { path: 'Source: memory/شبكة البيت.md#L9-L11' }, NINE_TO_ELEVEN],
  ['P71', 'memory_get', { path: 'memory/家庭网络.md:9-11' }, NINE_TO_ELEVEN],
  ['P71', 'memory_get', { path: 'Source: memory/home network.md:9' }, NINE],
  ['P75', 'memory_get', { path: 'شبكة البيت', from: 9, lines: 1 }, NINE],
  ['P75', 'memory_get', { path: '/memory/家庭网络', from: '9', limit: '3' }, NINE_TO_ELEVEN],
  ['P75', 'memory_get', { path: 'mnemark://notes/memory/home%20network.md#L9' }, NINE],
  ['P75', 'memory_get', { path: '[[home network]]', from: 9, lines: 1 }, NINE],
  ['P75', 'memory_search', { query: 'boat guests tea', k: '٢' }, /> \[2\] (?![\s\S]*> \[3\] )/],
  ['P75', 'memory_search', { query: 'guests' }, /\nName the source of what you use, as path#Lfirst-Llast\./],
  ['P75', 'memory_search', { q: 'boat guests tea', top_k: 1 }, /> \[1\] (?![\s\S]*> \[2\] )/],
  ['P75', 'memory_search', { query: 'boat guests', tags: 'boat' }, /Saturday(?![\s\S]*VLAN)/],
  ['P75', 'memory_search', { query: 'line', limit: 'three' }, /limit: expected a whole number from 1 to 100/],
  ['P75', 'memory_list', { tag: '#home', maxResults: '1' }, /> MEMORY\.md /],
  ['P75', 'memory_append', { text: '- sails', to: 'Daily' }, /^Written to memory\/\d{4}-\d\d-\d\d\.md#L/],
  ['P75', 'memory_append', { text: '- oars', to: 'MEMORY' }, /^Written to MEMORY\.md#L/],
  [
    'P76',
    'memory_append',
    { text: 'door password: hunter2-x', to: 'memory/edit.md' },
    /looks like a password or key.*Tell the user\.$/,
  ],
  [
    'P76',
    'memory_edit',
    { path: 'memory/edit.md', replace: '- rum', text: '- كلمة المرور: hunter2-y' },
    /looks like a password.*Tell the user\.$/,
  ],
  [
    'P77',
    'memory_edit',
    { path: 'memory/edit.md', after: 3, line: '- tea', text: '- cake' },
    /^Changed: memory\/edit\.md#L4-L4\./,
  ],
  ['P77', 'memory_edit', { path: 'memory/edit.md', after: 4, line: '- tea', text: '- x' }, /not as it was when it was read/],
  ['P77', 'memory_edit', { path: 'memory/edit.md', replace: 'e', text: 'x' }, /stands in it more than once/],
  ['P77', 'memory_recent', { limit: 2, paths: 'memory/' }, /> memory\/2026-03-14\.md \(2026-03-14, /],
]

test.each(Object.keys(SURFACES))('P71, P75 to P77: every named case is answered alike by %s', async (surface) => {
  const call = await SURFACES[surface]?.(new Sandbox(NOTES))
  const answers: [string, string][] = []
  for (const [entry, name, input] of CASES) {
    answers.push([`${entry} ${name} ${JSON.stringify(input)}`, String(await call?.(name, input))])
  }
  expect(answers).toEqual(
    CASES.map(([entry, name, input, told]) => [`${entry} ${name} ${JSON.stringify(input)}`, expect.stringMatching(told)]),
  )
})
