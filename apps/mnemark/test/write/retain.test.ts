import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

interface Retained {
  readonly path: string
  readonly startLine: number
  readonly factId: string
}

const LOG = /^memory\/\d{4}-\d\d-\d\d\.md$/u

/** The text of the one log there is. */
function logOf(box: Sandbox): string {
  const [name = ''] = readdirSync(join(box.workspace, 'memory'))
  return readFileSync(join(box.workspace, 'memory', name), 'utf8')
}

describe('retain', () => {
  test('adds a fact under the Retain heading of the day, unsigned; the next search finds it, and the same fact is reported', () => {
    const box = new Sandbox({ 'MEMORY.md': '# Memory\n' })
    const argv = ['retain', 'prefers mail to calls', '--entity', 'Mara', '--entity', '[[Post]]', '--confidence', '80%']
    const first = box.json(argv)
    expect(first).toEqual({
      code: 0,
      document: {
        path: expect.stringMatching(LOG),
        status: 'written',
        startLine: 5,
        endLine: 5,
        factId: expect.stringMatching(/^[0-9a-z]{10}$/u),
      },
    })
    expect(logOf(box)).toMatch(/^# [\d-]{10}\n\n## Retain\n\n- O\(c=0\.80\) @Mara \[\[Post\]\]: prefers mail to calls\n$/u)
    expect(box.json(argv)).toEqual({ code: 0, document: { ...(first.document as unknown as Retained), status: 'exists' } })
    expect(box.run([...argv, '--again']).stdout).toMatch(/^written memory\/\S+#L6-L6 \^[0-9a-z]{10}\n$/u)
    expect(box.json(['search', 'mail'])).toMatchObject({ code: 0 })
  })

  test('a fact that another note has is reported where the index knows it and the note still has it', () => {
    const other = 'memory/2026-03-01.md'
    const box = new Sandbox({
      [other]: '# Day\nRain.\n\n## Retain\n- W @Mara: moved to Bergen\n',
      'memory/archive/2026-03-01.md': '# Day\nRain.\n\n## Retain\n- W @Nils: rowed\n',
    })
    const argv = (text: string): readonly string[] => ['retain', text, '--on', '2026-03-01']
    box.run(['index'])
    expect(box.json(argv('W @mara: Moved to Bergen.'))).toMatchObject({
      code: 0,
      document: { status: 'exists', path: other, startLine: 5, endLine: 5 },
    })
    expect(box.json([...argv('W @Mara: moved to Bergen'), '--corrects', '"lives in Oslo"'])).toMatchObject({
      document: { status: 'written' },
    })
    expect(box.json(argv('W @Nils: rowed'))).toMatchObject({ document: { status: 'written' } })
    expect(box.json(argv('B @Mara: moved to Bergen'))).toMatchObject({ document: { status: 'written' } })
    box.write(other, '# Day\nRain.\n\n## Retain\n- W @Mara: moved to Oslo\n')
    const log = box.json([...argv('W @Mara: moved to Bergen'), '--again']).document['path']
    expect(log).toMatch(LOG)
    box.write(String(log), '# Day\n')
    expect(box.json(argv('W @Mara: moved to Bergen'))).toMatchObject({ document: { status: 'written', path: log } })
  })

  test('an index that cannot be read is said, and the fact is written', () => {
    const box = new Sandbox({ 'MEMORY.md': '# Memory\n' })
    box.write('.mnemark/main.sqlite', 'no database')
    const { code, stdout, stderr } = box.run(['retain', 'W @Mara: rowed'])
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(/^written /),
      expect.stringContaining('the index was not asked'),
    ])
  })

  test('a citation of a line becomes the id of the fact that stands there; the version before is kept', () => {
    const box = new Sandbox({ 'MEMORY.md': '# Memory\n' })
    const { path, startLine, factId } = box.json(['retain', 'W @Mara: lives in Oslo']).document as unknown as Retained
    const corrected = box.json(['retain', 'W @Mara: lives in Bergen', '--corrects', `${path}#L${startLine}`, '--on', '2026-03'])
    expect(corrected).toMatchObject({ code: 0, document: { status: 'written' } })
    expect(logOf(box)).toContain(`- W @Mara: lives in Bergen (on: 2026-03-01..2026-03-31) (corrects: ^${factId})\n`)
    expect(readdirSync(join(box.state(), 'history', path))).toHaveLength(1)
    const missed = box.json(['retain', 'W @Mara: lives in Bergen', '--retracts', `${path}#L1`])
    expect(missed).toMatchObject({ code: 2, document: { error: { message: expect.stringMatching(/^relation-target: /u) } } })
  })

  test.each([
    ['a half-written head', ['O(c=0.8 @Mara: x'], 'unclosed'],
    ['an unknown kind', ['X @Mara: x'], 'unknown-kind'],
    ['a confidence out of range', ['likes tea', '--confidence', '1.2'], 'bad-confidence'],
    ['an entity without a name', ['W @: x'], 'empty-entity'],
    ['a range that ends before it begins', ['was away', '--on', '2026-03-05..2026-03-01'], 'range-order'],
    ['options that say otherwise', ['B @Mara: x', '--kind', 'world'], 'contradiction'],
    ['no text', ['W @Mara:'], 'empty-content'],
  ])('what would be read otherwise is refused by name, and nothing is written: %s', (_case, argv, code) => {
    const box = new Sandbox({ 'MEMORY.md': '# Memory\n' })
    const refused = box.json(['retain', ...argv])
    expect(refused).toMatchObject({ code: 2, document: { error: { code: 'bad-input' } } })
    expect(JSON.stringify(refused.document)).toContain(`"${code}: `)
    expect(existsSync(join(box.workspace, 'memory'))).toBe(false)
  })
})
