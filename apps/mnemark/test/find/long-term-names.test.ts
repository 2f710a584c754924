import { runTool, toolList } from '@mnemark/tools/host'
import { expect, test } from 'vitest'
import { openApp } from '../harness/in-process-app.ts'

const OPEN = { 'memory/2026-01-01.md': 'zebra\n', 'memory/a.md': 'a #pub\n' }
const HIDDEN = '---\ntags: [zorilla]\n---\n# Zorilla, 2027-01-01\n\nquokka\n'

/** Ways to write what is not for groups: a file system may take them for one, and a name may hold anything. */
test.each([
  ['MEMORY.md', 'bank/2027-01-02.md'],
  ['Memory.md', 'BANK/zorilla.md'],
  ['mEMORY.MD', 'Bank/a/zorilla.md'],
  ['memory.md', 'bank/zorilla\nb.md'],
  ['MEMORY.md', 'bank/zorilla\u2028b.md'],
  ['MEMORY.md', 'bank/zorilla كوكا\r.md'],
])('P105: a group is told no number, day, tag, name and cursor of %j and %j', async (longTerm, bank) => {
  const { ask, memory } = await openApp({ ...OPEN, 'b.md': 'b\n', [longTerm]: HIDDEN, [bank]: HIDDEN })
  const group = { chatType: 'group' } as const
  const told: unknown[] = [await memory.overview({ caller: group })]
  for (const [name, input] of [
    ['memory_list', {}],
    ['memory_list', { limit: 1 }],
    ['memory_recent', { limit: 1 }],
    ['memory_list', { tags: ['nothing'] }],
    ['memory_list', { paths: ['bnak/', 'MEMROY.md'] }],
    ['memory_search', { query: 'quokka' }],
    ['memory_search', { query: '' }],
  ] as const) {
    const tool = toolList(memory).find((one) => one.name === name)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    told.push(await runTool(tool, memory, input, { caller: group }))
  }
  const headers = { 'mnemark-chat-type': 'group' }
  for (const query of ['tags=true', 'limit=1&order=path', 'limit=1&order=newest'])
    told.push(await (await ask(`/v1/notes?${query}`, { headers })).json())
  const text = JSON.stringify(told)
  expect(text).not.toMatch(/zorilla|2027/iu)
  const cursors = [...text.matchAll(/"next":"([\w-]+)"/gu)].map(([, cursor = '']) => Buffer.from(cursor, 'base64url').toString())
  expect(cursors.length).toBeGreaterThan(3)
  expect(cursors.join()).not.toMatch(/zorilla|2027|MEMORY\.md/iu)
  const totals = told.flatMap((one) => (typeof one === 'object' && one !== null && 'total' in one ? [one.total] : []))
  const visible = (await memory.paths({ caller: group })).length
  expect(totals).toEqual([visible, visible, visible])
})
