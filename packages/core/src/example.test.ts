import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const example = fileURLToPath(new URL('../examples/search-notes.ts', import.meta.url))

test('the example of the README answers each question with the place of its line', () => {
  const output = execFileSync(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], { encoding: 'utf8' })
  expect(output.trimEnd().split('\n')).toEqual([
    'memory/2026-03-14.md#L1-L1 قررنا تأجيل الإطلاق إلى يوم الأحد.',
    'memory/2026-03-15.md#L1-L1 东京的会议改到星期五。',
    'MEMORY.md#L2-L2 - Invoice numbers look like OC-41252.',
    'MEMORY.md#L1-L1 - Deploys go through the blue cluster.',
  ])
})

test('the README begins with five lines that find their notes', () => {
  const file = fileURLToPath(new URL('../examples/five-lines.ts', import.meta.url))
  const output = execFileSync(process.execPath, ['--conditions=mnemark-source', '--no-warnings', file], { encoding: 'utf8' })
  expect(output).toBe('home.md#L1-L1\ntrip.md#L1-L1\n')
  const [, first = ''] = /```ts\n(.*?)```/s.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8')) ?? []
  expect(first).toBe(readFileSync(file, 'utf8'))
  expect(first.trimEnd().split('\n')).toHaveLength(5)
})

test('the README shows the example as it is', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})
