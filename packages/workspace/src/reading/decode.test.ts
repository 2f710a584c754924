import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDecoder, decodeForIndex, findFormat, FormatFinder, normaliseLineEnds, plainFormat } from './decode.ts'
import { encode } from '../../test/encode.ts'

async function decode(bytes: Uint8Array | string): Promise<string> {
  const buffer = Buffer.from(bytes)
  return decodeForIndex(buffer, await findFormat(buffer))
}

test('B26: CRLF, LF and mixed twins give the same text and line numbers', async () => {
  const lines = ['---', 'title: Plan', '---', '# Goals', 'ship it', '']
  const expected = lines.join('\n')
  expect(await decode(lines.join('\r\n'))).toBe(expected)
  expect(await decode(lines.join('\n'))).toBe(expected)
  expect(await decode('---\r\ntitle: Plan\n---\r\n# Goals\nship it\r\r\n')).toBe(expected)
})

test('a file of carriage returns only has lines; a stray one inside a line becomes a blank', async () => {
  expect(await decode('one\rtwo\rthree')).toBe('one\ntwo\nthree')
  expect(await decode('10%\r20%\ndone\r')).toBe('10% 20%\ndone')
})

test('a byte-order mark is dropped and UTF-16 is read', async () => {
  expect(await decode('\ufeff# Title')).toBe('# Title')
  const text = 'سلام 会议 🐘\n'
  const little = Buffer.from(`\ufeff${text}`, 'utf16le')
  expect(await decode(little)).toBe(text)
  expect(await decode(Buffer.from(little).swap16())).toBe(text)
})

test('broken UTF-8 and lone surrogates become U+FFFD and are told, NUL becomes visible, and lengths stay', async () => {
  expect(await decode(Buffer.from([0xc3, 0xa9, 0x0a, 0xe9, 0x62]))).toBe('é\n\ufffdb')
  expect(await decode(Buffer.from([0xed, 0xa0, 0x80]))).toBe('\ufffd\ufffd\ufffd')
  expect(await decode(Buffer.from('\ufeffa\ud800b', 'utf16le'))).toBe('a\ufffdb')
  expect(await decode('a\0b\n')).toBe('a␀b\n')
  const cut = Buffer.from('會議改到星期五').subarray(0, -1)
  expect(await findFormat(cut)).toMatchObject({ encoding: 'utf-8', hasLostBytes: true, problem: null })
  expect(await findFormat(Buffer.concat([Buffer.from('\ufeff'), Buffer.from('Übung', 'latin1')]))).toMatchObject({
    encoding: 'utf-8',
    hasLostBytes: true,
  })
})

test('P45: a short note in an old encoding keeps its letters', async () => {
  expect(await decode(Buffer.from('caf\xe9\nb', 'latin1'))).toBe('café\nb')
  expect(await decode(encode('# Заметки\n- купить хлеб и молоко\n', 'windows-1251'))).toBe('# Заметки\n- купить хлеб и молоко\n')
  expect(await decode(encode('# 会议\n改到星期五\n', 'gb18030'))).toBe('# 会议\n改到星期五\n')
})

test('P45: UTF-16 is read without a mark too, in any script', async () => {
  for (const text of ['# Plan\nship it\n', '# Заметки\n- хлеб и соль\n', '# ملاحظات\n- خبز وملح\n', '# רשימה\n- לחם ומלח\n']) {
    const little = Buffer.from(text, 'utf16le')
    expect(await decode(little)).toBe(text)
    expect(await decode(Buffer.from(little).swap16())).toBe(text)
    expect(plainFormat(little)).toBeNull()
  }
})

test('P45: a second byte-order mark is white space, and several at the beginning are one', async () => {
  expect(await decode('\ufeff\ufeff---\ntitle: Plan\n---\n')).toBe('---\ntitle: Plan\n---\n')
  expect(await decode('# One\n\ufeff# Two\nthree\ufefffour\n')).toBe('# One\n # Two\nthree four\n')
  expect(await decode(Buffer.from('\ufeffone\n\ufefftwo\n', 'utf16le'))).toBe('one\n two\n')
})

test('P45: an old encoding that begins late in a long note is found, wherever the pieces are cut', async () => {
  const bytes = Buffer.from(`${'plain words of a long note\n'.repeat(4_000)}Grüße aus München, schöne Straße\n`, 'latin1')
  expect(await decode(bytes)).toContain('Grüße aus München, schöne Straße')
  for (const size of [1_000, 65_536, 100_000]) {
    const finder = new FormatFinder()
    for (let start = 0; start < bytes.length; start += size) finder.take(bytes.subarray(start, start + size))
    expect(await finder.finish({ isWhole: true })).toEqual(await findFormat(bytes))
  }
})

test('binary content and unknown encodings are named; one odd byte in much plain text is not enough', async () => {
  const image = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7) % 256))
  expect(await findFormat(image)).toMatchObject({ problem: 'binary content' })
  const unknown = Buffer.from('one \x81\x8d two', 'latin1')
  expect(await findFormat(unknown)).toMatchObject({ problem: 'text in an encoding that is not recognised' })
  const latin1 = Buffer.from('Grüße aus München, schöne Straße und viel Übung mit Umlauten. '.repeat(20), 'latin1')
  expect(await findFormat(latin1)).toMatchObject({ encoding: 'windows-1252', problem: null })
  expect(await findFormat(Buffer.from(`one odd byte ${'word '.repeat(1_000)}\x81`, 'latin1'))).toMatchObject({
    encoding: 'utf-8',
    hasLostBytes: true,
  })
  expect((await findFormat(Buffer.from(`one NUL\0 in a note ${'word '.repeat(50)}`))).problem).toBeNull()
  expect((await findFormat(Buffer.from('\u001b[31mred\u001b[0m '.repeat(50)))).problem).toBeNull()
  expect((await findFormat(Buffer.alloc(0))).problem).toBeNull()
})

test('normalised text has no carriage return and as many lines as there were line feeds', () => {
  const text = fc.array(fc.constantFrom('a', '\r', '\n', '\r\n', ' '), { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (sample) => {
      const result = normaliseLineEnds(sample, 'lf')
      expect(result).not.toContain('\r')
      expect(result.split('\n')).toHaveLength(sample.split('\n').length)
    }),
  )
})

test('decoding piece by piece equals decoding at once, wherever the pieces are cut', () => {
  const encodings = fc.constantFrom('utf-8', 'utf-16le', 'utf-16be')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), encodings, fc.integer({ min: 1, max: 5 }), (text, encoding, size) => {
      const bytes = encoding === 'utf-8' ? Buffer.from(text) : Buffer.from(text, 'utf16le')
      if (encoding === 'utf-16be') bytes.swap16()
      const decoder = createDecoder(encoding)
      let result = ''
      for (let start = 0; start < bytes.length; start += size) result += decoder.write(bytes.subarray(start, start + size))
      expect(result + decoder.end()).toBe(text)
    }),
  )
})
