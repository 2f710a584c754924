import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bankAnnotator } from '../facts/bank-annotator.ts'
import { FactRegistry } from '../facts/fact-registry.ts'
import { readValue } from './read-value.ts'
import { valueOn, valuesOf } from './values-of.ts'

const HOME = { name: 'home', phrases: ['lives in', 'moved to', 'يسكن في', '住在', 'wohnt in'] }
const EMPLOYER = { name: 'employer', phrases: ['works for', 'works for the'] }

test.each([
  ['lives in Bergen', 'home', 'Bergen', false],
  ['Lives  in Bergen.', 'home', 'Bergen', false],
  ['she now lives in Bergen', 'home', 'Bergen', false],
  ['no longer lives in Bergen', 'home', 'Bergen', true],
  ['does not live in Bergen', undefined, undefined, false],
  ['يسكن في أوسلو', 'home', 'أوسلو', false],
  ['لا يسكن في أوسلو', 'home', 'أوسلو', true],
  ['现在住在上海。', 'home', '上海', false],
  ['不再住在上海', 'home', '上海', true],
  ['wohnt in Graz', 'home', 'Graz', false],
  ['works for the city', 'employer', 'city', false],
  ['heard that Nils lives in Oslo', undefined, undefined, false],
  ['the cat lives in Oslo', undefined, undefined, false],
  ['lives in', undefined, undefined, false],
  ['told us (home:: Bergen) on the phone', 'home', 'Bergen', false],
  ['[Home:: New York] employer:: Acme', 'home', 'New York', false],
  ['employer:: Acme home:: Bergen', 'home', 'Bergen', false],
  ['homes:: Bergen', undefined, undefined, false],
])('%j states %s = %s', (content, slot, value, isEnd) => {
  const found = readValue(content, [HOME, EMPLOYER])
  expect([found?.slot.name, found?.value, found?.isEnd ?? false]).toEqual([slot, value, isEnd])
})

const PAGE = '---\nslots:\n  home: ["lives in", "moved to"]\n---\n\n# Slots\n'

async function timeline(
  notes: Readonly<Record<string, string>>,
  page: Readonly<Record<string, string>> = { 'bank/slots.md': PAGE },
) {
  const store = createInMemoryStore()
  const workspace = documents({ ...page, ...notes })
  const memory = await createMemory({ store, workspace, annotators: [bankAnnotator()], caller: { agentId: 'main' } })
  try {
    return await memory.withIndex(async ({ snapshot }) => valuesOf(await new FactRegistry().read(snapshot)))
  } finally {
    await memory.close()
  }
}

function day(...lines: readonly string[]): string {
  return `# Day\nRain.\n\n## Retain\n${lines.map((line) => `- W @Mara: ${line}`).join('\n')}\n`
}

async function lines(
  notes: Readonly<Record<string, string>>,
  page?: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  return (await timeline(notes, page)).map(
    ({ value, from = '', to = '', isVoid }) => `${value} ${from}..${to}${isVoid ? ' void' : ''}`,
  )
}

describe('values of a slot', () => {
  test('B97: the newer dated value ends the older one, whatever came first', async () => {
    const notes = {
      'memory/2026-03-01.md': day('lives in Bergen (supersedes: "lives in Oslo")'),
      'memory/2024-05-01.md': day('lives in Oslo'),
    }
    expect(await lines(notes)).toEqual(['Oslo 2024-05-01..2026-02-28', 'Bergen 2026-03-01..'])
  })

  test('a range ends by itself, interrupts an open value, and the value comes back', async () => {
    const values = await timeline({
      'memory/2026-01-01.md': day('lives in Oslo'),
      'memory/2026-02-01.md': day('lives in Turku (on: 2026-02-03..2026-02-10)'),
    })
    expect(['2025-12-31', '2026-01-05', '2026-02-05', '2026-03-01'].map((one) => valueOn(values, one)?.value)).toEqual([
      undefined,
      'Oslo',
      'Turku',
      'Oslo',
    ])
  })

  test('left and back again are two intervals; said again is one', async () => {
    const notes = {
      'memory/2026-01-01.md': day('lives in Oslo'),
      'memory/2026-02-01.md': day('no longer lives in Oslo'),
      'memory/2026-03-01.md': day('moved to Oslo'),
      'memory/2026-04-01.md': day('lives in Oslo'),
    }
    expect(await lines(notes)).toEqual(['Oslo 2026-01-01..2026-01-31', 'Oslo 2026-03-01..'])
  })

  test('a correction voids a value, one by an agent of what a person wrote does not', async () => {
    const notes = {
      'memory/2026-01-01.md': day('lives in Oslo', 'lives in Graz (on: 2025-01-01)'),
      'memory/2026-01-02.md': day('lives in Turku (corrects: "lives in Oslo")'),
      'memory/2026-01-03.md': day('heard otherwise (retracts: "lives in Graz") (by: agent)'),
    }
    expect(await lines(notes)).toEqual(['Graz 2025-01-01..2026-01-01', 'Oslo 2026-01-01..2026-01-01 void', 'Turku 2026-01-02..'])
  })

  test('undated values close nothing and are closed by nothing', async () => {
    const notes = { 'MEMORY.md': day('lives in Oslo'), 'memory/2026-01-01.md': day('lives in Turku') }
    const values = await timeline(notes)
    expect(values.map(({ value, to }) => [value, to])).toEqual([
      ['Oslo', undefined],
      ['Turku', undefined],
    ])
    expect([valueOn(values, '2025-01-01')?.value, valueOn(values, '2026-01-02')?.value]).toEqual(['Oslo', 'Turku'])
  })

  test('without a declaration there are none; a page declares for its entity alone', async () => {
    const notes = { 'memory/2026-01-01.md': '# D\nRain.\n\n## Retain\n- W @Mara: lives in Oslo\n- W @Nils: lives in Turku\n' }
    expect(await lines(notes, {})).toEqual([])
    expect(await lines(notes, { 'bank/entities/Nils.md': PAGE.replace('# Slots', '# Nils') })).toEqual(['Turku 2026-01-01..'])
    const inline = { 'memory/2026-01-01.md': day('told us home:: Oslo') }
    expect(await lines(inline, { 'bank/slots.md': '---\nslots: [home, employer]\n---\n\n# Slots\n' })).toEqual([
      'Oslo 2026-01-01..',
    ])
  })

  test('the order of notes and of lines decides nothing', async () => {
    const told = ['lives in Oslo', 'moved to Bergen', 'no longer lives in Oslo', 'lives in Graz (on: 2026-01-05..2026-02-01)']
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ day: fc.integer({ min: 1, max: 28 }), line: fc.constantFrom(...told) }), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.infiniteStream(fc.nat()),
        async (said, order) => {
          const notes = said.map(({ day: number, line }, at): [string, string] => [
            `memory/2026-03-${String(number).padStart(2, '0')}-${at}.md`,
            day(line),
          ])
          const shuffled = notes
            .map((note) => ({ note, key: order.next().value ?? 0 }))
            .toSorted((left, right) => left.key - right.key)
          expect(await lines(Object.fromEntries(shuffled.map(({ note }) => note)))).toEqual(
            await lines(Object.fromEntries(notes)),
          )
        },
      ),
      { numRuns: 40 },
    )
  })
})
