import { type JsonSchema, ProviderError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { notedFailure } from '../failure/service-failure.ts'
import { schemaCheck } from './schema-check.ts'

const facts = {
  type: 'object',
  properties: { facts: { type: 'array', items: { $ref: '#/$defs/fact' }, maxItems: 2 } },
  required: ['facts'],
  additionalProperties: false,
  $defs: { fact: { type: 'object', properties: { kind: { enum: ['W', 'O'] } }, required: ['kind'] } },
}
const failureOf = (work: () => void): unknown => {
  try {
    work()
  } catch (error) {
    return notedFailure(Object(error))
  }
  return undefined
}

test.for(['{"facts":[]}', ' {"facts":[{"kind":"W"},{"kind":"O"}]}\n'])('%s fits', async (text) => {
  const check = await schemaCheck(facts)
  expect(failureOf(() => check(text))).toBeUndefined()
})

test.for([
  ['{"facts":', 'the answer is not JSON, which a schema asks for'],
  ['```json\n{"facts":[]}\n```', 'the answer is not JSON, which a schema asks for'],
  ['[]', 'the answer does not fit the schema at #/type'],
  [
    '{"facts":[{"kind":"secret of Mara"}]}',
    'the answer does not fit the schema at #/properties/facts/items/$ref/properties/kind/enum',
  ],
  ['{"facts":[],"more":1}', 'the answer does not fit the schema at #/additionalProperties'],
] as const)('%s does not, and the error says why without a word of it', async ([text, summary]) => {
  const check = await schemaCheck(facts)
  expect(failureOf(() => check(text))).toMatchObject({ code: 'bad-response', summary })
})

/** Each of its definitions asks for the next one twice. */
function doubled(times: number): JsonSchema {
  const names = Array.from({ length: times }, (_, at) => `d${at}`)
  const twice = names.map((name, at) => [name, { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] }])
  return { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(twice), [`d${times}`]: { type: 'object' } } }
}

function circular(): JsonSchema {
  const schema: Record<string, unknown> = {}
  schema['properties'] = { self: schema }
  return schema
}

test('an answer may be a tree, and a form may be used in several places', async () => {
  const tree = {
    type: 'object',
    properties: { left: { $ref: '#' }, right: { $ref: '#' } },
    allOf: [doubled(3)],
    $defs: doubled(3)['$defs'],
  }
  const check = await schemaCheck(tree)
  expect(failureOf(() => check('{"left":{"right":{}},"right":{}}'))).toBeUndefined()
  expect(failureOf(() => check('{"left":{"right":1}}'))).toMatchObject({ code: 'bad-response' })
})

test.for([
  { $ref: '#/$defs/none' },
  { $ref: 'https://schemas.example/fact.json' },
  { properties: { name: { pattern: '(' } } },
  { patternProperties: { '[': {} } },
  { $ref: '#' },
  { anyOf: [{ $ref: '#/$defs/self' }], $defs: { self: { not: { $ref: '#/$defs/self' } } } },
  doubled(24),
  circular(),
  { maximum: 1n },
])('a schema that cannot be checked is refused before it is sent: %o', async (schema) => {
  const error = await schemaCheck(schema).catch((thrown: unknown) => thrown)
  expect(ProviderError.isInstance(error)).toBe(false)
  expect(notedFailure(Object(error))).toMatchObject({ code: 'invalid-input' })
})

test('an answer of any depth is judged, whatever the schema says of itself', async () => {
  const check = await schemaCheck({ anyOf: [{ type: 'number' }, { type: 'array', items: { $ref: '#' } }] })
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(() => check('[[[1]]]')).not.toThrow()
  expect(() => check(deep)).toThrow(RangeError)
})
