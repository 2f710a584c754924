import { describe, expect, test } from 'vitest'
import { RECALLED_END, RECALLED_START } from './hidden-blocks.ts'
import { outlineOf } from './outline.ts'

const headingsOf = (text: string) => outlineOf(text).headings.map(({ level, text: heading }) => `${level} ${heading}`)
const hiddenIn = (text: string) => outlineOf(text).unindexed.map(({ start, end }) => text.slice(start, end))

describe('headings', () => {
  test.each([
    ['```', '# Real Title\n\n```python\n# a comment\nx = 1\n```\nmore prose\n# Next\n'],
    ['~~~', '# Real Title\n\n~~~python\n# a comment\n~~~\nmore prose\n# Next\n'],
    ['a longer fence around a shorter', '# Real Title\n````\n```\n# a\n```\n````\n# Next'],
    ['tildes around backticks', '# Real Title\n~~~\n```\n# a\n~~~\n# Next'],
    ['a fence in an item, closed indented', '# Real Title\n- ```js\n  # a\n  ```\n- b\n\n# Next'],
    ['a fence in a nested item with tabs', '# Real Title\n- a\n\t- ```sh\n\t  # a\n\t  ```\n# Next'],
    ['a fence under an item', '# Real Title\n1. a\n\n   ```\n# b\n   ```\n# Next'],
    ['a fence in an item, ended by the next item', '# Real Title\n- ```js\n  # a\n- b\n# Next'],
    ['an info string with a backtick', '# Real Title\n``` a`b\n# Next'],
    ['<pre>', '# Real Title\n\n<pre class="sh">\n# a\n\n# b</pre>\n# Next'],
    ['<script> in capitals', '# Real Title\n<SCRIPT>\n# a\n</SCRIPT>\n# Next'],
    ['<pre> in one line', '# Real Title\n<pre># a</pre>\n# Next'],
    ['CRLF', '# Real Title\r\n```\r\n# a\r\n```\r\n# Next\r\n'],
  ])('B24: a comment in code is no heading: %s', (_name, text) => {
    expect(headingsOf(text)).toEqual(['1 Real Title', '1 Next'])
  })

  test('raw HTML that is never closed, other tags and tags inside a line hide no heading', () => {
    for (const tag of ['<pre>', '<prefix>', '<div>', 'see <pre>', '    <pre>'])
      expect(headingsOf(`# A\n${tag}\n# B\n${tag === '<pre>' ? '' : '</pre>'}`)).toEqual(['1 A', '1 B'])
  })

  test('an unclosed fence runs to the end', () => {
    expect(headingsOf('# A\n```\n# b\n# c')).toEqual(['1 A'])
  })

  test.each([
    ['#tag', []],
    ['####### seven', []],
    ['    # code', []],
    ['> # quoted', []],
    ['- # item', []],
    ['   ### Three ##  ', ['3 Three']],
    ['# C#', ['1 C#']],
    ['#\tTab', ['1 Tab']],
    ['##', ['2 ']],
    ['Title\n===', ['1 Title']],
    ['Title\n---', ['2 Title']],
    ['Two\nlines\n---', ['2 Two\nlines']],
    ['- item\n---', []],
    ['- item\n  more\n---', []],
    ['> quote\nlazy\n---', []],
    ['\n---', []],
    ['a\nb\nc\nd\n---', []],
    ['<!--\n# hidden\n```\n-->\n# Seen', ['1 Seen']],
  ])('%j', (text, expected) => {
    expect(headingsOf(text)).toEqual(expected)
  })

  test('front matter that failed makes no heading', () => {
    const text = '---\na: b: c\n# d\n---\n# Title'
    expect(outlineOf(text, { plainUntil: text.indexOf('# Title') }).headings).toHaveLength(1)
  })
})

describe('unindexed ranges', () => {
  test.each([
    ['a <!-- b --> c', ['<!-- b -->']],
    ['<!-- a\nb\n--> c', ['<!-- a\nb\n-->']],
    ['`<!-- code -->` and ``x ` <!-- y -->``', []],
    ['```\n<!-- code -->\n```', []],
    ['a <!-- never closed\n\nnotes', []],
    ['<!-- a --><!-- b -->', ['<!-- a -->', '<!-- b -->']],
    ['user: <relevant-memories>\n- x\n</relevant-memories>\nkept', ['<relevant-memories>\n- x\n</relevant-memories>']],
    ['<Relevant_Memories count="2">x</Relevant_Memories>', ['<Relevant_Memories count="2">x</Relevant_Memories>']],
    ['<relevant-memories> unclosed', []],
    [
      '<relevant-memories>\n<relevant-memories n="1">a</relevant-memories>\nb\n</relevant-memories>\nkept',
      ['<relevant-memories>\n<relevant-memories n="1">a</relevant-memories>\nb\n</relevant-memories>'],
    ],
    [
      '<relevant-memories>\n<relevant-memories>a</relevant-memories>\nkept',
      ['<relevant-memories>\n<relevant-memories>a</relevant-memories>'],
    ],
    ['[UNTRUSTED DATA — notes]\n- x\n[END UNTRUSTED DATA]\nkept', ['[UNTRUSTED DATA — notes]\n- x\n[END UNTRUSTED DATA]']],
    [
      '--- BEGIN UNTRUSTED CONTENT ---\nx\n--- END UNTRUSTED CONTENT ---',
      ['--- BEGIN UNTRUSTED CONTENT ---\nx\n--- END UNTRUSTED CONTENT ---'],
    ],
    ['[UNTRUSTED DATA]\nno end', []],
    ['We treat UNTRUSTED DATA with care', []],
    ['```untrusted-data\nx\n```\nkept', ['```untrusted-data\nx\n```']],
    ['Sender (untrusted metadata):\n```json\n{}\n```', ['```json\n{}\n```']],
    [`${RECALLED_START}\nx <!-- y -->\n${RECALLED_END}\nkept`, [`${RECALLED_START}\nx <!-- y -->\n${RECALLED_END}`]],
    ['- DONE x\n  :LOGBOOK:\n  CLOCK: [2022]\n  :END:\nkept', ['  :LOGBOOK:\n  CLOCK: [2022]\n  :END:']],
    [':LOGBOOK:\nno end', []],
  ])('%j', (text, expected) => {
    expect(hiddenIn(text)).toEqual(expected)
  })

  test.each([
    '`',
    '<!--',
    '<relevant-memories>',
    '<relevant-memories>'.repeat(2) + '</relevant-memories>',
    '[UNTRUSTED DATA]\n',
    ':LOGBOOK:\n',
    '```\n',
    '- ',
    '> ',
    '#',
    '|-\n',
    '<',
  ])('takes linear time over %j without end', (part) => {
    const started = performance.now()
    outlineOf(part.repeat(200_000 / part.length))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
