import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

const ROOT = dirname(import.meta.dirname)
let run: { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/** The output of the demo between one query and the next. */
function answerTo(query: string): string {
  const [, rest = ''] = run.stdout.split(`search --workspace examples/workspace ${JSON.stringify(query)}\n`)
  return rest.split('\n\n', 1)[0] ?? ''
}

beforeAll(() => {
  run = spawnSync(process.execPath, [join(ROOT, 'tooling/demo.ts')], { cwd: ROOT, encoding: 'utf8' })
})

describe('npm start over the example workspace', () => {
  test('ends well and without a complaint', () => {
    expect(run).toMatchObject({ status: 0, stderr: '' })
  })

  test('finds other forms of a word in the note on the router', () => {
    expect(answerTo('configuring the routers')).toMatch(/memory\/2026-02-11\.md#L\d+/)
  })

  test('ranks a ticket number where it is written first', () => {
    expect(answerTo('OC-41252').split('\n')[1]).toContain('OC-41252')
  })

  test.each([
    ['اطلاق', 'الإطلاق'],
    ['قرر', 'قَرَّرَ'],
    ['会议', '会议'],
    ['naive cafe', 'naïve café'],
  ])('finds for %s the spelling %s', (query, spelling) => {
    expect(answerTo(query)).toContain(spelling)
  })

  test('ends with the command for the reader’s own folder', () => {
    expect(run.stdout).toContain('./mnemark search --workspace ~/notes')
  })
})
