import { assertGrowsLinearly } from '@mnemark/testkit'
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

  test('P40: raw HTML that is never closed and tags inside a line hide no heading', () => {
    for (const tag of ['<pre>', '<script>', '<?php', '<![CDATA[', 'see <pre>', 'see <div>', '    <pre>'])
      expect(headingsOf(`# A\n${tag}\n# B\n`)).toEqual(['1 A', '1 B'])
    // Other tags end with a blank line, as in CommonMark.
    for (const tag of ['<div>', '</td>', '<prefix>', '<details open>', '<!doctype html>\n<div>'])
      expect(headingsOf(`# A\n${tag}\n# in HTML\n\n# B\n`)).toEqual(['1 A', '1 B'])
  })

  test.each([
    ['a closing fence indented four columns does not close', '# A\n```\n    ```\n# in code\n```\n# B', ['1 A', '1 B']],
    ['nor a tab', '# A\n~~~\n\t~~~\n# in code\n~~~\n# B', ['1 A', '1 B']],
    ['three columns close', '# A\n```\n   ```\n# B', ['1 A', '1 B']],
    ['an unclosed fence ends with its item', '- ```js\n  x\n\n# B', ['1 B']],
    ['and with a deeper item', '- a\n  - ```\n    x\n  - b\n\n# B', ['1 B']],
    ['and with its number', '1. ```\n   x\n\n## B', ['2 B']],
    ['and with its quote', '> ```\n> # in code\n\n# B', ['1 B']],
    ['a fence in a quote in an item', '- > ```\n  > # x\n\n# B', ['1 B']],
    ['an indented closing fence of an outline', '- ```js\n  # x\n  ```\n# B', ['1 B']],
    ['an outline with tabs', '- a\n\t- ```sh\n\t  # x\n\t  ```\n\t- b\n# B', ['1 B']],
    ['an outline that begins indented', '\t- ```sh\n\t  # x\n\t  ```\n# B', ['1 B']],
    ['code pasted into an item without its indent', '1. a\n\n   ```\n# x\n   ```\n# B', ['1 B']],
    ['but not over a blank line', '- ```\n  x\n# B\n\n- ```\n  y\n  ```', ['1 B']],
    ['a comment in a list', '- a\n  <!-- x\n# no\n-->\n# B', ['1 B']],
    ['a heading in an item heads no section', '- a\n  # in item\n\n# B', ['1 B']],
    ['CRLF', '- ```js\r\n  x\r\n\r\n# B\r\n', ['1 B']],
    ['Chinese and Arabic', '- ```\n  代码\n\n# 标题\n\n> ~~~\n> كود\n\n## عنوان', ['1 标题', '2 عنوان']],
  ])('P40: %s', (_name, text, expected) => {
    expect(headingsOf(text)).toEqual(expected)
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
    '- ```\n  x\n',
    '- ```\nx\n',
    '%%',
    ' %%a',
    '%%a%% ',
    '<!-- a --> ',
    '%%\n',
    '"data:a/b,',
    'data:',
    `${'aB3'.repeat(70)}://`,
    `${'aB3'.repeat(70)} `,
    `${'aB3'.repeat(22)}\n`,
    '<pre>\n',
    '<?\n',
    '<a ',
    '<a b="\n',
    `${'- '.repeat(300)}\n\n\n`,
  ])('takes linear time over %j without end', (part) => {
    assertGrowsLinearly((size) => outlineOf(part.repeat(size / part.length)), 200_000)
  })
})
