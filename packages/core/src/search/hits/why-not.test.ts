import type { SearchQuery, SearchReply } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { openNotes, search } from '../../../test/open-notes.ts'

const TOPICS = 'cost noise colour weight smell speed history owner repair storage transport paint'.split(' ')

async function why(
  notes: Readonly<Record<string, string>>,
  text: string,
  query: Partial<SearchQuery>,
): Promise<NonNullable<SearchReply['why']> | undefined> {
  const { memory } = await openNotes(notes)
  return (await search(memory, text, query)).why
}

test('a place in the answer is said to be there, with its place and its numbers', async () => {
  const answer = await why({ 'a.md': 'lamp\n\nvelvet' }, 'velvet', { why: { path: 'a.md', line: 3 } })
  expect(answer).toMatchObject({ reason: 'returned', detail: 'It is hit 1 of 1.' })
  expect(answer?.explain?.fused).toBeGreaterThan(0)
})

test('a path or line that is not in the index is said to be missing', async () => {
  expect(await why({ 'a.md': 'lamp' }, 'lamp', { why: { path: 'b.md' } })).toMatchObject({ reason: 'not-indexed' })
  expect(await why({ 'a.md': 'lamp' }, 'lamp', { why: { path: 'a.md', line: 9 } })).toMatchObject({ reason: 'not-indexed' })
})

test('a note without a word of the query, and a query without a word, are no match', async () => {
  expect(await why({ 'a.md': 'lamp', 'b.md': 'velvet' }, 'lamp', { why: { path: 'b.md' } })).toMatchObject({ reason: 'no-match' })
  expect(await why({ 'a.md': 'lamp' }, '?!', { why: { path: 'a.md' } })).toMatchObject({ reason: 'no-match' })
})

test('a note that a filter, a quoted phrase or an excluded word keeps out is filtered', async () => {
  const notes = { 'a.md': 'lamp of velvet', 'b.md': 'a velvet lamp' }
  expect(await why(notes, 'lamp', { why: { path: 'a.md' }, filter: { paths: ['b.md'] } })).toMatchObject({ reason: 'filtered' })
  expect(await why(notes, '"velvet lamp"', { why: { path: 'a.md' } })).toMatchObject({ reason: 'filtered' })
  expect(await why(notes, 'lamp -"of"', { why: { path: 'a.md' } })).toMatchObject({ reason: 'filtered' })
})

test('a weak match below all candidates is outside the pool', async () => {
  const crowd = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.md`, `lamp lamp ${TOPICS[at % 12]} n${at}`]))
  const far = `lamp ${'and many other words '.repeat(60)}`
  expect(await why({ ...crowd, 'far.md': far }, 'lamp', { why: { path: 'far.md' } })).toMatchObject({ reason: 'outside-pool' })
})

test('a candidate behind the last place asked for is cut by the limit', async () => {
  const answer = await why({ 'a.md': 'lamp lamp', 'b.md': 'a lamp and much else besides' }, 'lamp', {
    limit: 1,
    why: { path: 'b.md' },
  })
  expect(answer).toMatchObject({ reason: 'limit' })
  expect(answer?.detail).toMatch(/^b\.md#L1-L1 ranked 2 of 2, but /)
})

test('a candidate that age pushed down says how much age counted', async () => {
  const answer = await why({ 'memory/2026-01-15.md': 'lamp lamp', 'b.md': 'a lamp and much else besides' }, 'lamp', {
    limit: 1,
    why: { path: 'memory/2026-01-15.md' },
    overrides: { temporalDecay: { enabled: true } },
  })
  expect(answer).toMatchObject({ reason: 'limit', explain: { decay: { ageDays: 60 } } })
  expect(answer?.detail).toContain('before its age counted (60 days, which leave 25 %)')
})

test('a text that another hit stands for is a repeat', async () => {
  const notes = { 'a.md': '- 10:15 the lamp was checked', 'b.md': '* 11:30 The lamp was checked' }
  expect(await why(notes, 'lamp', { why: { path: 'b.md' } })).toMatchObject({ reason: 'repeat' })
})

test('P01: a note whose wording a newer one has with other values is a version, and says so', async () => {
  const notes = { 'memory/2025-01-01.md': 'the lamp is 900 euro', 'memory/2026-01-01.md': 'the lamp is 1050 euro' }
  const answer = await why(notes, 'lamp', { why: { path: 'memory/2025-01-01.md' } })
  expect(answer).toMatchObject({ reason: 'version' })
  expect(answer?.detail).toMatch(/ranked 1 of 2, but a hit with the same wording and other values stands for it/)
  const shown = await why(notes, 'lamp', { why: { path: 'memory/2026-01-01.md' } })
  expect(shown).toMatchObject({ reason: 'returned', explain: { version: { of: 'memory/2025-01-01.md#L1-L1' } } })
})

test('a fourth hit of one file gives its place to other files', async () => {
  const long = TOPICS.map((topic, at) => `## Part ${at}\n\nlamp lamp ${`${topic} `.repeat(150)}`).join('\n\n')
  const others = TOPICS.map((topic): [string, string] => [`${topic}.md`, `one lamp of ${`${topic} thing `.repeat(150)}`])
  const { memory } = await openNotes({ 'long.md': long, ...Object.fromEntries(others) })
  const asked = { why: { path: 'long.md', line: 15 }, limit: 6 }
  const reply = await search(memory, 'lamp', asked)
  expect(reply.hits.filter(({ path }) => path === 'long.md')).toHaveLength(3)
  expect(reply.why?.reason).toBe('diversity')
})

test('a like text that MMR passes over is left out for diversity', async () => {
  const notes = {
    'a.md': 'router configured, VLAN 10 for IoT devices in the cellar cabinet',
    'b.md': 'router configured with VLAN 10 for all IoT devices, cellar cabinet',
    'c.md': 'reference of every router port and cable, drawn in spring',
  }
  const query = 'router VLAN IoT devices configured'
  const { memory } = await openNotes(notes)
  const overrides = { mmr: { enabled: true, lambda: 0.3 } }
  const [, second] = (await search(memory, query, { limit: 2 })).hits
  const reply = await search(memory, query, { limit: 2, overrides, why: { path: second?.path ?? '' } })
  expect(reply.hits.map(({ path }) => path)).not.toContain(second?.path)
  expect(reply.why?.reason).toBe('diversity')
})

test('P10: while places are free no match is outside the pool: neither behind words that only share letters', async () => {
  const alike = Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [`n${at}.md`, `moraved ${TOPICS[at % 12]} number ${at}`]),
  )
  const others = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [`o${at}.md`, `bread ${TOPICS[at % 12]} number ${at}`]),
  )
  const notes = {
    ...alike,
    ...others,
    'people/moravec/cv.md': `${'Built robots for many years, in several places. '.repeat(30)}`,
  }
  expect(await why(notes, 'moravec', { why: { path: 'people/moravec/cv.md' } })).toMatchObject({ reason: 'returned' })
})

test('P10: nor behind one entry that was written a thousand times', async () => {
  const beats = Object.fromEntries(
    Array.from({ length: 1_200 }, (_, at) => [`beat/${at}.md`, 'heartbeat of the lamp: nothing to do']),
  )
  const far = `${'many other words about all sorts of things '.repeat(40)} lamp`
  for (const limit of [2, 6, 10])
    expect(await why({ ...beats, 'far.md': far }, 'lamp heartbeat', { limit, why: { path: 'far.md' } })).toMatchObject({
      reason: 'returned',
    })
})
