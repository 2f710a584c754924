import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { MAIN, newFolder, sessionsIn, textsOf } from '../__fixtures__/sessions-folder.ts'
import { scriptedModel, summaryOf } from '../__fixtures__/scripted-model.ts'
import type { Session } from '../sessions/session.ts'
import { limitsOf } from '../tokens/limits.ts'

const LONG = 'The printer of the second floor stands on VLAN 20 and Huda prefers pnpm over npm. '.repeat(12)

async function talk(session: Session, turns: number, from = 0): Promise<void> {
  for (let turn = from; turn < from + turns; turn += 1) {
    await session.append([
      { role: 'user', content: `question ${turn} ${LONG}` },
      { role: 'assistant', content: `answer ${turn} ${LONG}` },
    ])
  }
}

const WINDOW = 16_000

test('a summary takes the place of the older messages, names them, and nothing leaves the transcript', async () => {
  const generator = scriptedModel(summaryOf)
  const sessions = await sessionsIn(newFolder(), { generator, compaction: { memoryFlush: { enabled: false } } })
  const session = await sessions.openSession(MAIN)
  await talk(session, 30)
  const before = await session.context({ window: WINDOW })
  const { context, compaction } = await session.nextContext({ window: WINDOW })
  expect(compaction).toMatchObject({ status: 'compacted', why: '' })
  expect(context.summary?.covers).toEqual(before.ids.slice(0, compaction?.covered))
  expect(context.ids).toEqual(before.ids.slice(compaction?.covered))
  expect(context.messages[0]?.content).toEqual([{ type: 'text', text: expect.stringContaining('## Summary 2') }])
  expect(context.size.tokens).toBeLessThan(limitsOf(WINDOW).compaction)
  expect(session.counters).toMatchObject({ context: null, compactions: 1, messages: 60 })
  expect(await textsOf(sessions, MAIN)).toHaveLength(60)
})

test('repeated compaction is stable: each covers what came since, and one right after another does nothing', async () => {
  const generator = scriptedModel(summaryOf)
  const sessions = await sessionsIn(newFolder(), { generator })
  const session = await sessions.openSession(MAIN)
  const covered: string[] = []
  for (let round = 0; round < 4; round += 1) {
    await talk(session, 30, round * 30)
    const { context } = await session.nextContext({ window: WINDOW })
    covered.push(...(context.summary?.covers ?? []))
    expect((await session.nextContext({ window: WINDOW })).compaction).toBeNull()
    expect(await session.compact({ window: WINDOW })).toMatchObject({ status: 'nothing' })
  }
  const ids: string[] = []
  for await (const { id } of session.messages()) ids.push(id)
  expect(covered).toEqual(ids.slice(0, covered.length))
  expect(new Set(covered).size).toBe(covered.length)
})

test.each([
  ['an empty one', ''],
  ['only headings', '# Goal\n\n## Decisions\n\n**Next steps:**\n\nDone:\n'.repeat(6)],
  [
    'a template of other words',
    'There is no prior history that would have to be taken over into a further request, nothing happened yet at all here.',
  ],
])('a summary that is %s is refused, and the one before survives', async (_, bad) => {
  let isGood = true
  const generator = scriptedModel((request, count) => (isGood ? summaryOf(request, count) : bad))
  const folder = newFolder()
  const sessions = await sessionsIn(folder, { generator })
  const session = await sessions.openSession(MAIN)
  await talk(session, 30)
  const first = await session.compact({ window: WINDOW })
  isGood = false
  await talk(session, 30)
  const before = readFileSync(join(folder, `${session.id}.jsonl`))
  expect(await session.compact({ window: WINDOW })).toMatchObject({ status: 'refused' })
  expect(
    readFileSync(join(folder, `${session.id}.jsonl`))
      .subarray(0, before.length)
      .equals(before),
  ).toBe(true)
  const { summary, ids } = await session.context()
  expect([summary?.text, ids.length]).toEqual([first.summary, 120 - first.covered])
})

test('the same summary again is refused', async () => {
  const generator = scriptedModel((request) => summaryOf(request, 1))
  const sessions = await sessionsIn(newFolder(), { generator })
  const session = await sessions.openSession(MAIN)
  await talk(session, 30)
  await session.compact({ window: WINDOW })
  await talk(session, 30)
  expect(await session.compact({ window: WINDOW })).toMatchObject({ why: 'the summary is the one before' })
})

test('a model that fails leaves everything as it was, and says so', async () => {
  const generator = scriptedModel(() => new ProviderError('unavailable', 'It is down.', { provider: 'test' }))
  const sessions = await sessionsIn(newFolder(), { generator })
  const session = await sessions.openSession(MAIN)
  await talk(session, 30)
  expect(await session.compact({ window: WINDOW })).toMatchObject({ status: 'failed', why: 'It is down.' })
  expect(session.counters.compactions).toBe(0)
  const bare = await sessionsIn(newFolder())
  const report = await (await bare.openSession(MAIN)).compact({ window: WINDOW })
  expect(report).toMatchObject({ status: 'failed', why: expect.stringContaining('generator') })
})

test('a model that cannot summarise is not asked again with every message', async () => {
  const generator = scriptedModel(() => 'no')
  const sessions = await sessionsIn(newFolder(), { generator, compaction: { memoryFlush: { enabled: false } } })
  const session = await sessions.openSession(MAIN)
  await talk(session, 30)
  const asked: number[] = []
  for (let turn = 0; turn < 8; turn += 1) {
    await session.append({ role: 'user', content: `more ${turn}` })
    const before = generator.requests.length
    await session.nextContext({ window: WINDOW })
    if (generator.requests.length > before) asked.push(turn)
  }
  expect(asked).toEqual([0, 6])
  expect((await session.nextContext({ window: WINDOW, overflow: true })).compaction?.status).toBe('refused')
})

test('a turn that is larger than the tail is parted, a single message is not', async () => {
  const generator = scriptedModel(summaryOf)
  const sessions = await sessionsIn(newFolder(), { generator })
  const session = await sessions.openSession(MAIN)
  await session.append({ role: 'user', content: 'Find the printer.' })
  for (let step = 0; step < 40; step += 1) {
    await session.append([
      { role: 'assistant', content: [{ type: 'toolCall', id: `c${step}`, name: 'look', arguments: { step } }] },
      { role: 'toolResult', toolCallId: `c${step}`, toolName: 'look', content: LONG },
    ])
  }
  const report = await session.compact({ window: WINDOW })
  expect(report.status).toBe('compacted')
  expect(generator.requests.at(-1)?.prompt).toContain('The beginning of a turn that still goes on')
  const context = await session.context()
  expect(context.messages[1]).toMatchObject({ role: 'assistant' })
  const alone = await sessions.openSession('agent:main:t:direct:1')
  await alone.append(
    Array.from({ length: 6 }, (_, turn) => ({ role: 'user', content: `${turn} ${turn === 0 ? LONG.repeat(30) : ''}` })),
  )
  expect((await alone.compact({ window: WINDOW })).status).toBe('compacted')
  const giant = await sessions.openSession('agent:main:t:direct:2')
  await giant.append({ role: 'user', content: LONG.repeat(60) })
  expect(await giant.compact({ window: WINDOW, trigger: 'overflow' })).toMatchObject({ status: 'nothing' })
})

test('an overflow compacts however little there seems to be', async () => {
  const generator = scriptedModel(summaryOf)
  const sessions = await sessionsIn(newFolder(), { generator })
  const session = await sessions.openSession(MAIN)
  await talk(session, 2)
  expect((await session.nextContext({ window: 200_000 })).compaction).toBeNull()
  const { compaction } = await session.nextContext({ window: 200_000, overflow: true })
  expect(compaction).toMatchObject({ status: 'compacted', covered: 2 })
})

test('the words behind /compact reach the model, secrets do not, also those of a summary so far', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const generator = scriptedModel((request, count) => `${summaryOf(request, count)} Never use ${secret}.`)
  const redact = (text: string): string => text.replaceAll(secret, '[secret]')
  const sessions = await sessionsIn(newFolder(), { generator, redact })
  const session = await sessions.openSession(MAIN)
  // The token stands across the place where a result is cut.
  await session.append({ role: 'toolResult', toolCallId: 'x', content: `${'word '.repeat(397)}${secret}${' more'.repeat(600)}` })
  await talk(session, 30)
  await session.compact({ window: WINDOW, focus: `the dates, and ${secret}` })
  await talk(session, 30)
  expect(await session.compact({ window: WINDOW })).toMatchObject({ status: 'compacted' })
  const asked = generator.requests.map(({ prompt }) => prompt).join('\n')
  expect(asked).toContain('Pay special heed to: the dates')
  expect(asked).not.toContain(secret.slice(0, 12))
})

test('a rewind meanwhile ends it, a message meanwhile does not', async () => {
  let meanwhile = async (): Promise<unknown> => undefined
  let count = 0
  const sessions = await sessionsIn(newFolder(), {
    generator: {
      generate: async (request) => {
        await meanwhile()
        return { text: summaryOf(request, (count += 1)), finishReason: 'stop' }
      },
    },
    compaction: { memoryFlush: { enabled: false } },
  })
  const session = await sessions.openSession(MAIN)
  const { written } = await session.append({ role: 'user', content: 'first' })
  await talk(session, 30)
  meanwhile = () => session.append({ role: 'user', content: 'buy milk' })
  expect(await session.compact({ window: WINDOW })).toMatchObject({ status: 'compacted' })
  const { messages } = await session.context()
  expect(messages.at(-1)?.content).toEqual([{ type: 'text', text: 'buy milk' }])
  await talk(session, 30)
  meanwhile = () => session.rewind(written[0]!.id)
  expect(await session.compact({ window: WINDOW })).toMatchObject({ status: 'overtaken' })
  expect((await session.context()).ids).toEqual([written[0]!.id])
})

test('forgetting a message takes the summaries made from it along, and the rest comes back', async () => {
  const generator = scriptedModel(summaryOf)
  const sessions = await sessionsIn(newFolder(), { generator })
  const session = await sessions.openSession(MAIN)
  const { written } = await session.append({ role: 'user', content: 'the code is 4711' })
  await talk(session, 30)
  await session.compact({ window: WINDOW })
  expect(await sessions.forget(MAIN, { messages: [written[0]!.id] })).toMatchObject({ summaries: 1 })
  const { summary, ids } = await session.context()
  expect([summary, ids.length]).toEqual([null, 60])
})

test('a compaction of another program is understood, also where what it kept is gone', async () => {
  const folder = newFolder()
  const sessions = await sessionsIn(folder)
  const session = await sessions.openSession(MAIN)
  await session.append([
    { role: 'user', content: 'one', id: 'm1' },
    { role: 'user', content: 'two', id: 'm2' },
  ])
  const line = (id: string, firstKeptEntryId: string): string =>
    `${JSON.stringify({ type: 'compaction', id, parentId: 'm2', timestamp: '2026-03-01T12:00:00.000Z', summary: 'Lunch moved.', firstKeptEntryId, tokensBefore: 161_000 })}\n`
  const file = join(folder, `${session.id}.jsonl`)
  appendFileSync(file, line('k1', 'm2'))
  expect((await session.context()).ids).toEqual(['m2'])
  appendFileSync(file, line('k2', 'gone'))
  expect(await session.context()).toMatchObject({ ids: [], summary: { id: 'k2', covers: [] } })
})

test.each([
  [200_000, { reserve: 20_000, compaction: 160_000, flush: 156_000 }],
  [32_768, { reserve: 8_192, compaction: 24_576, flush: 20_576 }],
  [8_000, { reserve: 2_000, compaction: 6_000, flush: 4_000 }],
  [1_000_000, { reserve: 20_000, compaction: 800_000, flush: 796_000 }],
])('the points of a window of %i tokens', (window, points) => expect(limitsOf(window)).toMatchObject(points))
