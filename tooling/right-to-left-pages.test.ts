/**
 * Pages that are read from the right look right on GitHub: text stands in a block that says so, commands stand outside of it, and a piece of code
 * that begins or ends with a sign, or holds both directions, says its own direction, since its signs would jump to the other side.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = dirname(import.meta.dirname)
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const pages = ['README.ar.md', ...globSync('docs/**/*.ar.md', { cwd: ROOT })]

/** Places that GitHub would show in the wrong order, as `line: why`. */
function problemsOf(markdown: string): readonly string[] {
  const problems: string[] = []
  let isWrapped = false
  let isCode = false
  for (const [index, line] of markdown.split('\n').entries()) {
    const say = (problem: string): number => problems.push(`${index + 1}: ${problem}`)
    if (line.startsWith('```')) {
      isCode = !isCode
      if (isWrapped) say('code inside a block that is read from the right')
    } else if (isCode) continue
    else if (line === '<div dir="rtl">' || line === '</div>') {
      if (isWrapped === (line !== '</div>')) say(`${line} twice`)
      isWrapped = !isWrapped
      // Without empty lines around it, the Markdown beside it would be shown as it is typed.
      if (markdown.split('\n')[index + 1]) say(`no empty line after ${line}`)
    } else {
      if (index > 0 && !isWrapped && RIGHT_TO_LEFT.test(line)) say('text outside a block that is read from the right')
      for (const [, code = ''] of line.matchAll(/`([^`]+)`/gu)) {
        if (!/^[a-z0-9].*[a-z0-9]$/iu.test(code) || RIGHT_TO_LEFT.test(code)) say(`${code} without a direction: <code dir="ltr">`)
      }
    }
  }
  if (isWrapped || isCode) problems.push('a block does not end')
  return problems
}

test('there are such pages', () => {
  expect(pages.length).toBeGreaterThan(1)
})

test.each(pages)('%s', (page) => {
  expect(problemsOf(readFileSync(join(ROOT, page), 'utf8'))).toEqual([])
})

test('what would be shown wrong is found', () => {
  expect(problemsOf('links\nمرحبا')).toEqual(['2: text outside a block that is read from the right'])
  expect(problemsOf('<div dir="rtl">\n\nالخيار `--json` هنا\n\n</div>')).toEqual([
    '3: --json without a direction: <code dir="ltr">',
  ])
  expect(problemsOf('<div dir="rtl">\n\n```sh\nls\n```\n\n</div>')).toHaveLength(2)
  expect(problemsOf('<div dir="rtl">\nنص')).toEqual(['1: no empty line after <div dir="rtl">', 'a block does not end'])
})
