import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { TextGenerator } from '@mnemark/spec'
import { type ChatWire, SAMPLE_JSON } from '../protocol-servers/chat/chat-wire.ts'
import { assertRejects } from '../service-suite/call-checks.ts'
import { type GeneratorCase, generate, PROMPT } from './generator-target.ts'

/** A schema that `SAMPLE_JSON` fits. */
const SCHEMA = {
  type: 'object',
  properties: { names: { type: 'array', items: { type: 'string' } }, count: { type: 'integer' } },
  required: ['names', 'count'],
  additionalProperties: false,
}

/** Answers that do not fit it, each for another reason. */
const AGAINST: readonly string[] = [
  'Mara and Peter.',
  '{"names":["Mara"',
  `\`\`\`json\n${SAMPLE_JSON}\n\`\`\``,
  '[]',
  '{"names":["Mara"]}',
  '{"names":"Mara","count":1}',
  '{"names":["Mara"],"count":1.5}',
  '{"names":["Mara"],"count":1,"more":true}',
]

const takesSchema = ({ traits }: TextGenerator): boolean => traits.hasSchema !== false

const honoured: readonly GeneratorCase[] = [
  {
    id: 'T6',
    title: 'a schema reaches the service, and what fits it comes back as it is',
    async run(session) {
      const { text, finishReason } = await generate(session.create(), { schema: SCHEMA })
      assert.deepEqual({ text, finishReason }, { text: SAMPLE_JSON, finishReason: 'stop' })
      const { schema, isJson, system, prompt } = session.lastCall()
      assert.equal(prompt, PROMPT, 'the prompt is left as it is')
      if (schema === undefined) {
        assert.equal(isJson, true, 'where the service knows no schema, it is asked for JSON')
        assert.ok(system.includes(JSON.stringify(SCHEMA)), 'and the model is told the schema')
      } else assert.deepEqual(schema, SCHEMA)
    },
  },
  {
    id: 'T6.against',
    title: 'an answer that does not fit the schema is a bad-response, and no part of it is in the error',
    async run(session) {
      const generator = session.create()
      for (const text of AGAINST) {
        const refused = () => assertRejects(generate(generator, { schema: SCHEMA }), 'bad-response', text)
        const error = await session.answering({ text }, refused)
        const shown = inspect(error, { depth: null, showHidden: true })
        assert.ok(!shown.includes('Mara'), `${text}: no word of the answer is in the error`)
      }
      assert.equal(session.server.requests.length, AGAINST.length, 'nothing was asked again')
    },
  },
  {
    id: 'T6.cut',
    title: 'an answer that was cut is told as such, not held against the schema',
    async run(session) {
      const cut = { text: '{"names":["Ma', finishReason: 'length' } as const
      const reply = await session.answering(cut, () => generate(session.create(), { schema: SCHEMA }))
      assert.equal(reply.finishReason, 'length')
    },
  },
  {
    id: 'T6.unclear',
    title: 'a schema whose references lead nowhere is refused before any request',
    async run(session) {
      const schema = { type: 'object', properties: { name: { $ref: '#/$defs/none' } } }
      await assertRejects(generate(session.create(), { schema }), 'invalid-input', 'a $ref that leads nowhere')
      assert.equal(session.server.requests.length, 0, 'no request is made')
    },
  },
]

/** One case where schemas are not taken: they must be refused, not ignored. */
const refused: GeneratorCase = {
  id: 'T6',
  title: 'a schema is refused before any request, since the generator takes none',
  async run(session) {
    await assertRejects(generate(session.create(), { schema: SCHEMA }), 'invalid-input', 'a schema')
    assert.equal(session.server.requests.length, 0, 'no request is made')
  },
}

export const schemaCasesOf = (wire: ChatWire, generator: TextGenerator): readonly GeneratorCase[] => {
  if (!takesSchema(generator)) return [refused]
  return honoured.filter(({ id }) => id !== 'T6.cut' || wire.finishReasons.includes('length'))
}
