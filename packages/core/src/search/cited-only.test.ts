import { createInMemoryStore, InMemoryDisk } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { NoteSource } from '../../test/note-source.ts'
import { hitsFor, openMemory, openNotes } from '../../test/open-notes.ts'

test('P43: a row of a long table stands above its head, and is cited exactly', async () => {
  const row = (item: string, price: number) => `| ${item} | ${price} EUR | shelf ${price % 7} |`
  const rows = Array.from({ length: 200 }, (_, index) => row(index === 150 ? 'teapot' : `cup number ${index}`, index * 3))
  const { memory } = await openNotes({ 'shop.md': `# Shop\n\n| Item | Price | Place |\n|---|---|---|\n${rows.join('\n')}\n` })
  for (const query of ['price of the teapot', 'teapot price place', 'Item teapot']) {
    const [first] = await hitsFor(memory, query)
    expect([query, first?.snippet.includes(row('teapot', 450))]).toEqual([query, true])
  }
})

test('P43: what stands in a comment is not found', async () => {
  const { memory } = await openNotes({
    'a.md': 'lamp %%saffron%%\n\n%%\n# Indigo\n\nwalnut\n%%\n\nvelvet 100%% sure, 20%% marble\n',
  })
  for (const word of ['saffron', 'indigo', 'walnut']) expect(await hitsFor(memory, word)).toEqual([])
  for (const word of ['lamp', 'velvet', 'marble']) expect(await hitsFor(memory, word)).toHaveLength(1)
})

test('P42: no part of an image is a hit, neither by its letters nor by the heading above it', async () => {
  const image = Array.from({ length: 60_000 }, (_, index) => 'aB3dE5gH7+K'.charAt((index * index + (index >> 3)) % 11)).join('')
  const disk = new InMemoryDisk()
  const text = `# Holiday\n\nThe beach in June.\n\n![](data:image/png;base64,${image.repeat(20)})\n\nThe hotel was full.\n`
  const memory = await openMemory([new NoteSource({ 'a.md': text })], { store: createInMemoryStore({ disk }) })
  await memory.sync()
  const chunks = [...disk.state.chunks.values()]
  expect(chunks.length).toBeLessThanOrEqual(5)
  const inputs = chunks.flatMap(({ inputs: hashes }) => hashes)
  expect(inputs.length).toBeLessThanOrEqual(2)
  expect(await hitsFor(memory, image.slice(100, 108))).toEqual([])
  for (const query of ['holiday', 'beach', 'hotel full', 'png base64']) {
    const hits = await hitsFor(memory, query)
    expect(hits.length).toBeLessThanOrEqual(inputs.length)
    for (const { snippet } of hits) expect(snippet).toMatch(/Holiday|beach|hotel/)
  }
})
