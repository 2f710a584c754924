import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDecoder, decodeForIndex, normaliseLineEnds, sniffFormat } from './decode.ts'

function decode(bytes: Buffer | string): string {
  const buffer = Buffer.from(bytes)
  return decodeForIndex(buffer, sniffFormat(buffer))
}

test('B26: CRLF, LF and mixed twins give the same text and line numbers', () => {
  const lines = ['---', 'title: Plan', '---', '# Goals', 'ship it', '']
  const expected = lines.join('\n')
  expect(decode(lines.join('\r\n'))).toBe(expected)
  expect(decode(lines.join('\n'))).toBe(expected)
  expect(decode('---\r\ntitle: Plan\n---\r\n# Goals\nship it\r\r\n')).toBe(expected)
})

test('a file of carriage returns only has lines; a stray one inside a line becomes a blank', () => {
  expect(decode('one\rtwo\rthree')).toBe('one\ntwo\nthree')
  expect(decode('10%\r20%\ndone\r')).toBe('10% 20%\ndone')
})

test('a byte-order mark is dropped and UTF-16 is read', () => {
  expect(decode('\ufeff# Title')).toBe('# Title')
  const text = 'سلام 会议 🐘\n'
  const little = Buffer.from(`\ufeff${text}`, 'utf16le')
  expect(decode(little)).toBe(text)
  expect(decode(Buffer.from(little).swap16())).toBe(text)
})

test('invalid bytes and lone surrogates become U+FFFD, NUL becomes visible, and lengths stay', () => {
  expect(decode(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a, 0x62]))).toBe('caf\ufffd\nb')
  expect(decode(Buffer.from([0xed, 0xa0, 0x80]))).toBe('\ufffd\ufffd\ufffd')
  expect(decode(Buffer.from('\ufeffa\ud800b', 'utf16le'))).toBe('a\ufffdb')
  expect(decode('a\0b\n')).toBe('a␀b\n')
})

test('binary content and text in another encoding are recognised; one odd byte is not enough', () => {
  const image = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7) % 256))
  expect(sniffFormat(image).problem).toBe('binary content')
  const koi8 = Buffer.from(Array.from({ length: 200 }, (_, index) => (index % 7 === 0 ? 0x20 : 0xc0 + (index % 32))))
  expect(sniffFormat(koi8).problem).toBe('text that is not UTF-8')
  const latin1 = Buffer.from('Grüße aus München, schöne Straße und viel Übung mit Umlauten. '.repeat(20), 'latin1')
  expect(sniffFormat(latin1).problem).toBeNull()
  expect(sniffFormat(Buffer.from(`one NUL\0 in a note ${'word '.repeat(50)}`)).problem).toBeNull()
  expect(sniffFormat(Buffer.from('\u001b[31mred\u001b[0m '.repeat(50))).problem).toBeNull()
  expect(sniffFormat(Buffer.alloc(0)).problem).toBeNull()
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
  const encodings = fc.constantFrom('utf8', 'utf16le', 'utf16be')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), encodings, fc.integer({ min: 1, max: 5 }), (text, encoding, size) => {
      const bytes = encoding === 'utf8' ? Buffer.from(text) : Buffer.from(text, 'utf16le')
      if (encoding === 'utf16be') bytes.swap16()
      const decoder = createDecoder(encoding)
      let result = ''
      for (let start = 0; start < bytes.length; start += size) result += decoder.write(bytes.subarray(start, start + size))
      expect(result + decoder.end()).toBe(text)
    }),
  )
})
