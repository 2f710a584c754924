import { expect, test } from 'vitest'
import { jsonLines } from './json-lines.ts'

async function read(text: string, pieceLength: number): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(text)
  const pieces = async function* () {
    for (let start = 0; start < bytes.length; start += pieceLength) yield bytes.subarray(start, start + pieceLength)
  }
  const values: unknown[] = []
  for await (const value of jsonLines(pieces())) values.push(value)
  return values
}

test.for([1, 2, 7, 1_000])('lines in pieces of %i bytes are put together, in every script', async (length) => {
  expect(await read('{"a":"é会😀"}\r\n\n[1]\nnull', length)).toEqual([{ a: 'é会😀' }, [1], null])
})

test('what is not JSON, cut off or longer than any vector is left out, and the next line is not', async () => {
  const long = JSON.stringify({ a: 'x'.repeat(5 * 2 ** 20) })
  expect(await read(`{"a":\n<html>\n${long}\n{"b":2}\n`, 65_536)).toEqual([{ b: 2 }])
})
