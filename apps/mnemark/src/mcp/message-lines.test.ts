import { expect, test } from 'vitest'
import { answerToMalformed } from './malformed-message.ts'
import type { MalformedAnswer } from './malformed-message.ts'
import { MessageLines } from './message-lines.ts'

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

/** Passes these chunks through with a limit of 1,000 bytes. */
function pass(...chunks: readonly string[]): {
  readonly passed: readonly string[]
  readonly answers: readonly MalformedAnswer[]
} {
  const [passed, answers]: [string[], MalformedAnswer[]] = [[], []]
  const lines = new MessageLines((answer) => answers.push(answer), 1_000)
  for (const chunk of chunks) lines.write(Buffer.from(chunk))
  for (let line: unknown = lines.read(); line !== null; line = lines.read()) passed.push(String(line))
  return { passed, answers }
}

test('messages pass whole, however they are cut, and blank lines are nothing', () => {
  expect(pass(`${PING}\n\n  \r\n${PING.slice(0, 7)}`, PING.slice(7), `\r\n`)).toEqual({
    passed: [`${PING}\n`, `${PING}\r\n`],
    answers: [],
  })
  // Cut within a character.
  const [first, second] = [Buffer.from('{"jsonrpc":"2.0","method":"é'), Buffer.from('"}\n')]
  const passed: string[] = []
  const lines = new MessageLines(() => {})
  lines.write(first.subarray(0, -1))
  lines.write(Buffer.concat([first.subarray(-1), second]))
  for (let line: unknown = lines.read(); line !== null; line = lines.read()) passed.push(String(line))
  expect(passed).toEqual(['{"jsonrpc":"2.0","method":"é"}\n'])
})

test.each([
  ['no JSON', 'hello', null, -32_700],
  ['half a message', '{"jsonrpc":"2.0","id":4', null, -32_700],
  ['no version', '{"id":5,"method":"ping"}', 5, -32_600],
  ['another version', '{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a', -32_600],
  ['no method', '{"jsonrpc":"2.0","id":6}', 6, -32_600],
  ['params that are a text', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"x"}', 7, -32_600],
  ['params that are a list', '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":[]}', 8, -32_600],
  ['a broken number', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5, -32_600],
  ['null as id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32_600],
  ['a method that is none', '{"jsonrpc":"2.0","id":9,"method":9}', 9, -32_600],
  ['a list', `[${PING}]`, null, -32_600],
  ['a text', '"ping"', null, -32_600],
  ['null', 'null', null, -32_600],
])('P74: what is no message is answered: %s', (_name, line, id, code) => {
  expect(pass(`${line}\n${PING}\n`)).toEqual({
    passed: [`${PING}\n`],
    answers: [{ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } }],
  })
})

test('P74: a malformed response has no answer: its id is not one of the other side', () => {
  const response = '{"jsonrpc":"2.0","id":1,"error":"x"}'
  expect(pass(`${response}\n`)).toEqual({ passed: [`${response}\n`], answers: [] })
  expect(answerToMalformed(response)).toBeNull()
})

const LONG = 'x'.repeat(2_000)
test.each([
  ['behind everything', `{"method":"ping","params":{"id":3,"text":"${LONG}"},"jsonrpc":"2.0","id":17}`, 17],
  ['before everything', `{"jsonrpc":"2.0","id":"a-1","method":"ping","params":{"text":"${LONG}"}}`, 'a-1'],
  ['first of all', `{"id":18,"jsonrpc":"2.0","method":"ping","params":{"text":"${LONG}"}}`, 18],
  ['none, and one of something else', `{"jsonrpc":"2.0","method":"ping","params":{"text":"${LONG}","id":19}}`, null],
  ['none, and one in a text', `{"jsonrpc":"2.0","method":"ping","params":{"text":"${LONG},\\"id\\":20}"}}`, null],
  ['no message at all', LONG, null],
])('P74: a line beyond the limit is answered, by its id where that is sure: %s', (_name, line, id) => {
  const pieces = line.match(/.{1,300}/gsu) ?? []
  for (const chunks of [[`${line}\n${PING}\n`], [...pieces, '\n', `${PING}\n`]]) {
    expect(pass(...chunks)).toEqual({
      passed: [`${PING}\n`],
      answers: [{ jsonrpc: '2.0', id, error: { code: -32_600, message: expect.stringContaining('1000 bytes') } }],
    })
  }
})
