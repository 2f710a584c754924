import { expect, test } from 'vitest'
import { notedFailure } from '../failure/service-failure.ts'
import { limitedFetch } from './limited-fetch.ts'

const fetching = (pieces: Iterable<string>, maxBytes: number) =>
  limitedFetch(async () => new Response(ReadableStream.from(pieces).pipeThrough(new TextEncoderStream())), maxBytes)

function* endless(): Generator<string> {
  for (;;) yield 'x'.repeat(1000)
}

test('an answer within the limit passes, one byte more does not', async () => {
  expect(await (await fetching(['abc', 'de'], 5)('http://h')).text()).toBe('abcde')
  const error = await (await fetching(['abc', 'def'], 5)('http://h')).text().catch((thrown: unknown) => thrown)
  expect(notedFailure(Object(error))).toMatchObject({ code: 'bad-response', summary: 'the answer is longer than 5 bytes' })
})

test('an endless answer ends, and its sender is told', async () => {
  const pieces = endless()
  await expect((await fetching(pieces, 10_000)('http://h')).text()).rejects.toThrow('longer than 10000 bytes')
  expect(pieces.next().done).toBe(true)
})

test('an answer without a body is left as it is', async () => {
  const response = await limitedFetch(async () => new Response(null, { status: 204, headers: { a: 'b' } }))('http://h')
  expect([response.status, response.headers.get('a'), await response.text()]).toEqual([204, 'b', ''])
})
