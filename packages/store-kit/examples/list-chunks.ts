import type { StoredChunk } from '@mnemark/spec'
import { createChunkMatcher, selectPage } from '@mnemark/store-kit'

const chunkOf = (id: number, path: string, from: string): StoredChunk => ({
  id,
  document: { source: 'memory', path },
  ordinal: 0,
  startLine: 1,
  endLine: 1,
  text: 'met Ann',
  headingTrail: [],
  attributes: { from },
  inputs: [`input ${id}`],
})
const chunks = [
  chunkOf(1, 'memory/2026-03-13.md', '2026-03-13'),
  chunkOf(2, 'memory/2026-03-14.md', '2026-03-14'),
  chunkOf(3, 'projects/plan.md', '2026-03-15'),
]

const passes = createChunkMatcher({ paths: ['memory/**'], since: '2026-03-01' })
const matching = chunks.filter((chunk) => passes(chunk.document, chunk))
for (const { document, attributes } of selectPage(matching, { order: 'newest', limit: 10 }))
  console.log(attributes.from, document.path)
