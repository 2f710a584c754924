import { describe, expect, test } from 'vitest'
import { readFrontMatter } from './front-matter.ts'

describe('readFrontMatter', () => {
  test('B26: CRLF, LF and mixed files give the same fields', () => {
    const text = '---\r\ntitle: Plan\r\ntags: [a, b]\r\n---\r\n# Goals\r\nship it\r\n'
    for (const variant of [text, text.replaceAll('\r\n', '\n'), text.replace('\r\n', '\n')]) {
      const { frontMatter, bodyStart } = readFrontMatter(variant)
      expect(frontMatter).toMatchObject({ title: 'Plan', tags: ['a', 'b'] })
      expect(variant.slice(bodyStart)).toMatch(/^# Goals/)
    }
  })

  test('B28: values of any type become text, empty ones nothing', () => {
    const { frontMatter, problem } = readFrontMatter(
      '---\ndate: 2025-10-24\nversion: 1.0\nok: true\ntags:\ntype: null\nnested: {a: 1, b: [x, y]}\n"null": "null"\n---\nbody',
    )
    expect(problem).toBeUndefined()
    expect(frontMatter).toEqual({
      aliases: [],
      tags: [],
      dates: ['2025-10-24'],
      properties: {
        date: '2025-10-24',
        version: '1.0',
        ok: 'true',
        nested: '1, x, y',
        'nested.a': '1',
        'nested.b': 'x, y',
        null: 'null',
      },
    })
  })

  test('B28: a block that does not parse is text and is reported without its words', () => {
    const reading = readFrontMatter('---\ndescription: rule (A/B): read x.md\n---\nbody')
    expect(reading.frontMatter).toBeUndefined()
    expect(reading.bodyStart).toBe(0)
    expect(reading.problem).toMatch(/not valid YAML \(line 2 /)
    expect(reading.problem).not.toContain('read x.md')
  })

  test('B28: an unclosed block hides nothing', () => {
    const reading = readFrontMatter(`---\ntitle: x\n${'a long note\n'.repeat(1_000)}`)
    expect(reading).toMatchObject({ bodyStart: 0, problem: expect.stringContaining('not closed') })
  })

  test('a rule at the top is a rule, not broken front matter', () => {
    expect(readFrontMatter('---\n\nProse between rules\n\n---\nmore')).toMatchObject({ bodyStart: 0 })
    expect(readFrontMatter('---\n\nProse between rules\n\n---\nmore').problem).toBeUndefined()
    expect(readFrontMatter('text\n---\ntitle: x\n---\n')).toEqual({ start: 0, bodyStart: 0, rejectedEnd: 0 })
  })

  test.each(['\uFEFF---\ntitle: x\n---\n', '\n\n---\ntitle: x\n...\n', '---  \ntitle: x\n---\t\n'])('reads %j', (text) => {
    expect(readFrontMatter(text).frontMatter?.title).toBe('x')
    expect(readFrontMatter(text).bodyStart).toBe(text.length)
  })

  test('an empty block is front matter without fields', () => {
    expect(readFrontMatter('---\n# only a comment\n---\nx').frontMatter).toEqual({
      aliases: [],
      tags: [],
      dates: [],
      properties: {},
    })
  })

  test('tags and aliases come as lists or as one line, dates under several names and spellings', () => {
    const { frontMatter } = readFrontMatter(
      '---\ntags: "#work, home deep/tag"\nalias: The Plan, Plan B\ncreatedAt: 2026-01-02\ntimestamp: 1\nCreated: 2026-01-01\nStatus: superseded\n---\n',
    )
    expect(frontMatter).toMatchObject({
      tags: ['work', 'home', 'deep/tag'],
      aliases: ['The Plan', 'Plan B'],
      dates: ['2026-01-01', '2026-01-02', '1'],
      status: 'superseded',
    })
  })

  test('anchors are not multiplied, nesting and size are bounded', () => {
    const bomb = `---\na: &a [x,x,x,x,x,x,x,x]\n${'bcdefghij'.replace(/./g, (name, index) => `${name}: &${name} [${`*${'abcdefghij'[index]},`.repeat(8)}]\n`)}---\n`
    expect(JSON.stringify(readFrontMatter(bomb).frontMatter).length).toBeLessThan(1_000)
    expect(readFrontMatter(`---\na: ${'['.repeat(50_000)}\n---\n`).problem).toBeDefined()
    const long = readFrontMatter(`---\ncontent: |\n${'  the whole note again\n'.repeat(500)}title: x\n---\n`).frontMatter
    expect(long?.properties.content?.length).toBe(500)
    expect(long?.title).toBe('x')
  })

  test('a key cannot reach the prototype', () => {
    const { frontMatter } = readFrontMatter('---\n__proto__: x\nconstructor: y\n---\n')
    expect(Object.keys(frontMatter?.properties ?? {})).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(frontMatter?.properties)).toBe(Object.prototype)
  })
})
