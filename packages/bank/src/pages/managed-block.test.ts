import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFacts } from '../retain/read-facts.ts'
import { readBlock, writeBlock } from './managed-block.ts'

const BODY = '- lives in Bergen\n- plays chess'

function written(page: string, body: string = BODY): string {
  const result = writeBlock(page, { body })
  if (!('page' in result)) throw new TypeError(JSON.stringify(result))
  return result.page
}

function outcome(page: string): string {
  const read = readBlock(page)
  if (read.state === 'damaged') return `${read.why} ${read.lines.join()}`
  return read.state === 'none' ? 'none' : read.isEdited ? 'edited' : 'whole'
}

test.each([
  ['', ''],
  ['\uFEFF', ''],
  ['# Mara\n', '\n'],
  ['# Mara', '\n\n'],
  ['# Mara\n\n', ''],
  ['# Mara\r\nText', '\r\n\r\n'],
  ['---\ntype: person\n---\n\n# Mara\r\n', '\r\n'],
])('a block is put at the end of %j behind one blank line', (page, between) => {
  const text = written(page)
  expect(text.startsWith(`${page}${between}<!-- mnemark:bank:start v=1 hash=`)).toBe(true)
  expect(outcome(text)).toBe('whole')
  expect(written(text)).toBe(text)
})

test('a block is replaced in its place, with the line ends around it', () => {
  const page = `\uFEFF${written('# Mara\r\n').slice(0, -2)}\r\n\r\nmy own  \nend`
  const next = written(page, '- is gone')
  expect(next.replace(/<!--[\s\S]*-->/, '')).toBe(page.replace(/<!--[\s\S]*-->/, ''))
  expect(next).toContain('-->\r\n- is gone\r\n<!--')
  expect(written(next, '')).toContain('-->\r\n<!--')
})

test('other line ends are no edit, any other byte is', () => {
  const page = written('# Mara\n')
  expect(outcome(page.replaceAll('\n', '\r\n'))).toBe('whole')
  expect(outcome(page.replace('chess', 'Chess'))).toBe('edited')
  expect(outcome(page.replace('- plays', '\n- plays'))).toBe('edited')
  expect(outcome(page.replace(/hash=\w+/, ''))).toBe('edited')
  expect(writeBlock(page.replace('chess', 'go'), { body: '' })).toMatchObject({ isEdited: true, startLine: 3, endLine: 6 })
})

test('a number typed into an opinion is no edit of its block, where the page says so', () => {
  const block = { body: '- O(c=0.91) @Mara: prefers mail', ignoresNumbers: true }
  const result = writeBlock('# Opinions\n', block)
  const page = 'page' in result ? result.page : ''
  for (const number of ['(c=.4)', ' (40%)', '(c = 0,4)']) {
    const typed = page.replace('(c=0.91)', number)
    expect(readBlock(typed, block)).toMatchObject({ isEdited: false })
    expect(readBlock(typed)).toMatchObject({ isEdited: true })
  }
  expect(readBlock(page.replace('prefers', 'likes'), block)).toMatchObject({ isEdited: true })
})

const START = '<!-- mnemark:bank:start v=1 hash=0 -->'
const END = '<!-- mnemark:bank:end -->'

test.each([
  ['several', [START, '- a', END, 'text', START, '- b', END], 'several 1,3,5,7'],
  ['unclosed', ['# Mara', START, '- a'], 'unclosed 2'],
  ['unopened', ['- a', END], 'unopened 2'],
  ['the wrong way round', [END, '- a', START], 'unopened 1,3'],
  ['nested', [START, START, '- a', END, END], 'nested 1,2,4,5'],
  ['doubled by a merge', [START, START, '- a', END], 'nested 1,2,4'],
  ['with marks of a conflict inside', [START, '<<<<<<< ours', '- a', '=======', '- b', '>>>>>>> theirs', END], 'conflict 2,6'],
  ['with marks of a conflict outside', ['<<<<<<< ours', 'a', '=======', '>>>>>>> theirs', START, END], 'conflict 1,4'],
  ['of a later version', [START.replace('v=1', 'v=2'), '- a', END], 'newer-version 1'],
])('a block that is %s is named and left alone', (_, lines, expected) => {
  const page = `${lines.join('\n')}\n`
  expect(outcome(page)).toBe(expected)
  expect(writeBlock(page, { body: '- new' }, true)).toMatchObject({ state: 'damaged', why: expected.split(' ')[0] })
})

test.each([
  ['a fence', `\`\`\`\n${START}\n- a\n${END}\n\`\`\`\n`],
  ['a quote', `> ${START}\n> - a\n> ${END}\n`],
  ['a line of text', `Write ${START} to begin.\n`],
  ['a code span', `\`${START}\`\n`],
  ['another comment', `<!-- as in\n${START.slice(0, -3)}\n-->\n`],
  ['front matter', `---\nnote: |\n  ${START}\n---\n`],
])('a marker in %s is plain text', (_, page) => {
  expect(outcome(page)).toBe('none')
  expect(outcome(written(page))).toBe('whole')
  expect(written(page).startsWith(page)).toBe(true)
})

test.each(['```\ncode\n', '<!-- a thought\n', '# Mara\n\n~~~'])('there is no place for a block behind %j', (page) => {
  expect(writeBlock(page, { body: BODY })).toMatchObject({ state: 'damaged', why: 'no-place' })
})

test('text between markers is never a fact, whatever is wrong with them; markers in a fence hide nothing', () => {
  const facts = (page: string): readonly string[] =>
    readFacts(page, { path: 'bank/entities/Mara.md' }).facts.map(({ content }) => content)
  expect(facts(written('- keeps the lamp\n'))).toEqual(['keeps the lamp'])
  expect(facts([START, '- a b', START, '- c d', END, '- e f', END, '- own text'].join('\n'))).toEqual(['own text'])
  expect(facts([START, '- a b', END, START, '- c d', END, '- own text'].join('\n'))).toEqual(['own text'])
  expect(facts([START, START, '- a b', END, '- own text'].join('\n'))).toEqual(['own text'])
  expect(facts(['- own text', START, '- a b'].join('\n'))).toEqual(['own text'])
  expect(facts(['```', START, '```', '- own text', '```', END, '```'].join('\n'))).toEqual(['own text'])
})

describe('whatever a page holds', () => {
  const piece = fc.constantFrom(
    START,
    END,
    '```',
    '~~~',
    '<!--',
    '-->',
    '> q',
    '- a',
    '',
    '# H',
    '<<<<<<< x',
    '%%',
    '---',
    '\t',
    'BEGIN UNTRUSTED',
    '`',
    '<div>',
  )
  const page = fc
    .tuple(fc.array(fc.oneof(piece, fc.string({ maxLength: 8, unit: 'binary' }))), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, lineEnd, isOpen]) => lines.join(lineEnd) + (isOpen ? '' : lineEnd))

  test('a written block is found again, and no byte outside it changes', () => {
    fc.assert(
      fc.property(page, page, (text, below) => {
        const first = writeBlock(text, { body: BODY })
        if (!('page' in first)) return
        const other = first.page + below
        const read = readBlock(other)
        if (read.state !== 'whole' || read.isEdited) return
        const second = writeBlock(other, { body: '- x' })
        if (!('page' in second)) return
        expect(second.page.startsWith(other.slice(0, read.start))).toBe(true)
        expect(second.page.endsWith(other.slice(read.end))).toBe(true)
        expect(writeBlock(second.page, { body: BODY })).toEqual({ page: other })
      }),
      { numRuns: 300 },
    )
  })
})
