import { assertGrowsLinearly } from '@mnemark/testkit'
import { locateQuote, quoteHash } from '@mnemark/spec'
import { expect, test } from 'vitest'

const router = [
  '## Router',
  '',
  '- VLAN 10 is for the things of the house',
  '- VLAN 20 is for guests',
  '- The password is on the fridge',
]
const hashOf = (lines: readonly string[]): string => quoteHash(lines.join('\n'))
const find = (lines: readonly string[], quoted: string, near?: number): unknown => locateQuote(lines.join('\n'), quoted, near)

test('a quote hash is short, of one line, and safe in addresses and command lines', () => {
  const hash = quoteHash(Array.from({ length: 60 }, (_, line) => `- line ${line} of a long entry`).join('\n'))
  expect(hash).toMatch(/^q60\.[\w.-]{40,60}$/)
  expect(encodeURIComponent(hash)).toBe(hash)
})

test('white space, blank lines, line ends and composed letters do not count, words do', () => {
  expect(quoteHash('- café  au lait\r\n\r\n  two\r\n')).toBe(quoteHash('- cafe\u0301 au lait\ntwo'))
  expect(quoteHash('- café au lait')).not.toBe(quoteHash('- café au lait!'))
})

test('a quote is found where it stood, also where the same text stands earlier', () => {
  const text = ['- heartbeat ok', '- other', '- heartbeat ok', '- end']
  expect(find(text, quoteHash('- heartbeat ok'), 3)).toEqual({ match: 'same', isNear: true, startLine: 3, endLine: 3 })
  expect(find(text, quoteHash('- heartbeat ok'), 4)).toEqual({ match: 'same', isNear: false, startLine: 1, endLine: 1 })
})

test('a quote is found after lines were put before it, into its blank lines, and after the order of sections changed', () => {
  const quoted = hashOf(router)
  expect(find(['# Home', 'one', ...router], quoted, 1)).toEqual({ match: 'same', isNear: false, startLine: 3, endLine: 7 })
  expect(find(['## DNS', 'x', '', router[0] ?? '', '', '', ...router.slice(2)], quoted, 1)).toMatchObject({
    startLine: 4,
    endLine: 9,
  })
})

test('a quote of which words were changed is told from one that is gone', () => {
  const quoted = hashOf(router)
  const edited = router.map((line) => line.replace('on the fridge', 'in the safe'))
  expect(find(['intro', 'more', ...edited, 'and so on'], quoted, 1)).toMatchObject({ match: 'changed', startLine: 3, endLine: 7 })
  expect(find(['# Recipes', '- rice with cumin', '- lentil soup of the north'], quoted, 1)).toBeNull()
  expect(find([], quoted, 1)).toBeNull()
})

test.each([
  ['Arabic', '- كلمة المرور مكتوبة على ورقة خلف الثلاجة في المطبخ', 'الثلاجة', 'الباب'],
  ['Chinese', '- 路由器的密码贴在厨房冰箱后面，访客网络是二十号', '冰箱', '大门'],
  ['one line', '- Prefers jasmine tea in the afternoon, never coffee', 'coffee', 'water'],
])('a single changed word is a change, not a loss: %s', (_name, line, old, replacement) => {
  const text = ['- before', line.replace(old, replacement), '- after']
  expect(find(text, quoteHash(line), 1)).toMatchObject({ match: 'changed', startLine: 2, endLine: 2 })
})

test.each(['', 'abc', 'q1', 'q1.short.', 'q1.aaaaaaaaaaaa.bad', '../../etc/passwd', `q1.aaaaaaaaaaaa.${'a'.repeat(400)}`])(
  'what is no quote hash is refused: %j',
  (quoted) => {
    expect(() => locateQuote('text', quoted)).toThrow(expect.objectContaining({ code: 'refused' }))
  },
)

test('a big note is searched in a moment, also where it repeats itself', () => {
  assertGrowsLinearly((lines) => {
    const text = Array.from({ length: lines }, (_, line) => `- heartbeat ${line % 7}: all is well in the house tonight`).join(
      '\n',
    )
    const middle = Math.floor(lines / 2)
    expect(locateQuote(text, hashOf(router), 1)).toBeNull()
    expect(
      locateQuote(
        text,
        quoteHash(
          text
            .split('\n')
            .slice(middle, middle + 40)
            .join('\n'),
        ),
        1,
      ),
    ).toMatchObject({ match: 'same' })
  }, 60_000)
})
