import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildContext } from '../context/build-context.ts'
import { newFolder } from '../__fixtures__/sessions-folder.ts'
import { TranscriptFile } from './transcript-file.ts'
import { TranscriptTree } from './tree.ts'

type Step =
  | { readonly do: 'append'; readonly to: number | null }
  | { readonly do: 'go'; readonly to: number }
  | { readonly do: 'again'; readonly to: number }
  | { readonly do: 'crash'; readonly bytes: number }

const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'append', to: null }) },
  fc.nat(50).map((to): Step => ({ do: 'append', to })),
  fc.nat(50).map((to): Step => ({ do: 'go', to })),
  fc.nat(50).map((to): Step => ({ do: 'again', to })),
  fc.integer({ min: 1, max: 60 }).map((bytes): Step => ({ do: 'crash', bytes })),
)

const settings = { nowMs: Date.parse('2026-03-01T10:00:00Z'), syncs: false }
const io = { read: 0, written: 0 }
const message = (content: string) => ({ role: 'user', content: `${content} ✓` }) as const

test('appends, rewinds, repeats and torn lines in any order: the live path is that of a plain model', async () => {
  const folder = newFolder()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 40 }), async (steps) => {
      const path = join(folder, `${(run += 1)}.jsonl`)
      writeFileSync(path, '{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z"}\n')
      const parents = new Map<string, string | null>()
      const ids: string[] = []
      const repeats: { readonly isNew: boolean }[] = []
      let [leaf, torn]: [string | null, number] = [null, 0]
      let file = new TranscriptFile(path, 'the transcript', io)
      const tree = new TranscriptTree(path, io)
      for (const [number, step] of steps.entries()) {
        if (step.do === 'crash') {
          appendFileSync(
            path,
            Buffer.from(`{"type":"message","id":"é${number}","text":"${'x'.repeat(60)}`).subarray(0, step.bytes),
          )
          file = new TranscriptFile(path, 'the transcript', io)
          torn += readFileSync(path).at(-step.bytes - 1) === 0x0a ? 1 : 0
          continue
        }
        const target: string | null = step.to === null || ids.length === 0 ? leaf : (ids[step.to % ids.length] ?? null)
        if (step.do === 'append') {
          const id = `m${number}`
          file.append([{ type: 'message', id, parentId: target, message: message(id) }], settings)
          parents.set(id, target)
          ids.push(id)
          leaf = id
        } else if (step.do === 'go' && target !== null) {
          file.append([{ type: 'leaf', parentId: target }], settings)
          leaf = target
        } else if (step.do === 'again' && target !== null) {
          repeats.push(...file.append([{ type: 'message', id: target, message: message(target) }], settings))
        }
      }
      await tree.extend()
      expect(repeats.filter(({ isNew }) => isNew)).toEqual([])
      const expected: string[] = []
      for (let at = leaf; at !== null; at = parents.get(at) ?? null) expected.unshift(at)
      const live = tree.path().map((place) => tree.nodes[place]!)
      expect(live.filter(({ type }) => type === 'message').map(({ id }) => id)).toEqual(expected)
      expect(tree.faults).toMatchObject({ duplicates: 0, strayParents: 0 })
      expect(tree.faults.unreadable).toBeLessThanOrEqual(torn)
      expect(file.tail().counters.messages).toBe(ids.length)
    }),
    { numRuns: 200 },
  )
})

test('a tree that grows with its file is the one that reads it whole', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'sub'))
  const path = join(folder, 'sub', 'a.jsonl')
  writeFileSync(path, '')
  const file = new TranscriptFile(path, 'the transcript', io)
  const growing = new TranscriptTree(path, io)
  for (let turn = 0; turn < 20; turn += 1) {
    file.append([{ type: 'message', message: message(`${turn} ${'x'.repeat(turn * 997)}`) }], settings)
    await growing.extend()
  }
  const whole = new TranscriptTree(path, io)
  await whole.extend()
  expect(growing.nodes).toEqual(whole.nodes)
  expect(growing.path()).toEqual(whole.path())
})

test('lines that other programs wrote, with fields of any kind, are read or left out, and never end a reading', async () => {
  const folder = newFolder()
  const path = join(folder, 'a.jsonl')
  const odd = fc.oneof(
    fc.constantFrom(null, '', 0, 1, 'm1', true, [], {}, [null], [{ type: 'text' }], { role: 'user' }, { covers: 5 }),
    fc.jsonValue(),
  )
  const line = fc.record(
    {
      type: fc.constantFrom(
        'message',
        'compaction',
        'flush',
        'leaf',
        'session',
        'custom_message',
        'branch_summary',
        'tombstone',
        'x',
      ),
      id: fc.oneof(fc.constantFrom('m1', 'm2', 'm3'), fc.string(), odd),
      parentId: fc.oneof(fc.constantFrom('m1', 'm2', null), odd),
      timestamp: odd,
      message: fc.oneof(
        fc.record({
          role: fc.oneof(fc.constantFrom('user', 'assistant', 'toolResult', 'custom'), odd),
          content: odd,
          usage: odd,
          toolCallId: odd,
        }),
        odd,
      ),
      summary: odd,
      content: odd,
      details: odd,
      counters: odd,
      firstKeptEntryId: odd,
      targetId: odd,
      state: odd,
    },
    { requiredKeys: ['type'] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
      writeFileSync(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
      const tree = new TranscriptTree(path, io)
      const { messages, size } = await buildContext(tree, { window: 1_000 })
      expect(messages.length).toBeLessThanOrEqual(lines.length * 4)
      expect(size.tokens).toBeLessThanOrEqual(1_000)
      const file = new TranscriptFile(path, 'the transcript', io)
      file.append([{ type: 'message', message: message('after') }], settings)
      expect(file.tail().counters.messages).toBeGreaterThan(0)
      await tree.extend()
      expect(tree.nodes[tree.path().at(-1)!]?.type).toBe('message')
    }),
    { numRuns: 1_000 },
  )
})
