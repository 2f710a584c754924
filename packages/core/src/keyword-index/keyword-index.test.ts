import { expect, test } from 'vitest'
import { openNotes, search } from '../../test/open-notes.ts'
import { keywordIndex } from './keyword-index.ts'

const TEXTS = {
  n1: 'Deploys go through the blue cluster.',
  n2: 'قررنا تأجيل الإطلاق إلى يوم الأحد.',
  n3: '东京的会议改到星期五。',
  n4: 'Ticket OC-41252: the cluster was red.',
}
const index = keywordIndex(Object.entries(TEXTS), { now: () => 0, timeZone: 'UTC' })

test.each(['deploying by cluster', 'اطلاق', '会议', 'OC-41252', '"blue cluster"', 'cluster -red', 'clus*', 'zebra', ''])(
  '%j finds what a memory over the same texts finds, in its order and with its scores',
  async (query) => {
    const { memory } = await openNotes(TEXTS)
    const { hits } = await search(memory, query)
    const found = await index.search(query)
    expect(found.map(({ id, score }) => [id, score])).toEqual(hits.map(({ path, score }) => [path, score]))
  },
)

test('the terms of a hit sum up to its BM25', async () => {
  const [hit] = await index.search('blue cluster')
  expect(hit?.terms.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(hit?.bm25 ?? 0, 12)
})

test('an index of nothing finds nothing, and of an id twice the last text counts', async () => {
  expect(await keywordIndex([]).search('lamp')).toEqual([])
  const twice = keywordIndex([
    ['a', 'lamp'],
    ['a', 'ladder'],
  ])
  expect([twice.size, (await twice.search('lamp')).length, (await twice.search('ladder')).length]).toEqual([1, 0, 1])
})

test('many texts, in many blocks, are all found', async () => {
  const many = keywordIndex(Array.from({ length: 3_000 }, (_, at) => [`${at}`, `number${at} of the list`] as const))
  for (const at of [0, 1, 1_499, 2_998, 2_999]) expect((await many.search(`number${at}`, { limit: 1 }))[0]?.id).toBe(`${at}`)
})
