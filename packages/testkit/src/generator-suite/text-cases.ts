import assert from 'node:assert/strict'
import type { FinishReason } from '@mnemark/spec'
import type { ChatWire } from '../protocol-servers/chat/chat-wire.ts'
import type { Delivery } from '../protocol-servers/wire/deliver.ts'
import { countWireTokens } from '../protocol-servers/wire/exchange.ts'
import { assertRejects } from '../service-suite/call-checks.ts'
import { HARD_TEXTS, INJECTIONS } from '../service-suite/hard-texts.ts'
import { SECRET } from '../service-suite/service-target.ts'
import { type GeneratorCase, generate, PROMPT, SYSTEM } from './generator-target.ts'

const DELIVERIES: readonly Delivery[] = ['whole', 'gzip', 'chunked', 'slow']
const MEBIBYTE = 2 ** 20

const nameCases: readonly GeneratorCase[] = [
  {
    id: 'T2',
    title: 'a generator says whose model it is and where it runs, in plain JSON without a secret',
    async run(session) {
      const { specVersion, provider, model, endpoint, traits, contextWindow, maxOutputTokens } = session.create()
      assert.equal(specVersion, 'v1')
      assert.ok(model.trim() !== '' && provider?.trim() !== '', 'model and provider have names')
      assert.ok(endpoint?.startsWith(session.server.origin), 'the endpoint is the configured one')
      assert.equal(traits.isLocal, true, 'a service on this machine is local')
      const said = { provider, model, endpoint, traits, contextWindow, maxOutputTokens }
      assert.ok(!JSON.stringify(said).includes(SECRET), 'no key in what describes the generator')
    },
  },
]

const textCases: readonly GeneratorCase[] = [
  {
    id: 'T3',
    title: 'system and prompt reach the service whole and apart, and its words come back as they are, however they travel',
    async run(session) {
      const generator = session.create()
      for (const delivery of DELIVERIES) {
        const { text, finishReason } = await session.behaving({ delivery }, () => generate(generator))
        assert.deepEqual({ text, finishReason }, { text: `Noted: ${PROMPT}`, finishReason: 'stop' })
        const { system, prompt, schema, isJson } = session.lastCall()
        assert.deepEqual(
          { system, prompt, schema, isJson },
          { system: SYSTEM, prompt: PROMPT, schema: undefined, isJson: undefined },
        )
      }
      await generate(generator, { system: '' })
      assert.equal(session.lastCall().system, '', 'an empty system is no message')
    },
  },
  {
    id: 'T3.injection',
    title: 'what looks like an instruction or a message is data, on the way there and back',
    async run(session) {
      const generator = session.create()
      for (const words of INJECTIONS) {
        const { text } = await session.answering({ text: words }, () => generate(generator, { prompt: words }))
        assert.equal(text, words, 'the answer comes back as it is')
        const { system, prompt } = session.lastCall()
        assert.deepEqual({ system, prompt }, { system: SYSTEM, prompt: words }, 'the prompt reached the service as it is')
      }
      assert.equal(session.server.requests.length, INJECTIONS.length, 'nothing else was asked')
    },
  },
  {
    id: 'T15',
    title: 'other scripts, emoji, lone surrogates and control characters arrive as they are, or as U+FFFD',
    async run(session) {
      const generator = session.create()
      for (const prompt of HARD_TEXTS) {
        const { text } = await generate(generator, { prompt, system: prompt })
        assert.equal(session.lastCall().prompt, prompt.toWellFormed())
        assert.equal(session.lastCall().system, prompt.toWellFormed())
        assert.equal(text, `Noted: ${prompt.toWellFormed()}`)
      }
    },
  },
]

const answerCases: readonly GeneratorCase[] = [
  {
    id: 'T4.empty',
    title: 'an answer that stopped by itself and says nothing is a bad-response',
    async run(session) {
      for (const text of ['', ' \n\t', null])
        await session.answering({ text }, () => assertRejects(generate(session.create()), 'bad-response', JSON.stringify(text)))
    },
  },
  {
    id: 'T5.large',
    title: 'a long answer comes whole; one of more than 10 MiB is a bad-response',
    async run(session) {
      const generator = session.create()
      const long = 'word '.repeat(MEBIBYTE / 5)
      assert.equal((await session.answering({ text: long }, () => generate(generator))).text.length, long.length)
      const longest = 'x'.repeat(10 * MEBIBYTE + 1)
      await session.answering({ text: longest }, () => assertRejects(generate(generator), 'bad-response', '10 MiB and a byte'))
    },
  },
  {
    id: 'T7.other',
    title: 'an answer that ended for an unknown reason is a bad-response',
    async run(session) {
      const refused = () => assertRejects(generate(session.create()), 'bad-response', 'a reason that no adapter knows')
      await session.answering({ finishReason: 'other' }, refused)
    },
  },
  {
    id: 'T10',
    title: 'usage is what the service counted, and absent where it says nothing',
    async run(session) {
      const generator = session.create()
      const { text, usage } = await generate(generator)
      if (!session.wire.reportsUsage) {
        assert.equal(usage, undefined, 'the service reports none')
        return
      }
      assert.deepEqual(usage, { inputTokens: countWireTokens([SYSTEM, PROMPT]), outputTokens: countWireTokens([text]) })
      const silent = await session.behaving({ answer: (_, { text: said }) => ({ text: said, finishReason: 'stop' }) }, () =>
        generate(generator),
      )
      assert.equal(silent.usage, undefined, 'never 0, never estimated')
    },
  },
]

const HALF = 'Mara lives in'

const reasonCase = (finishReason: FinishReason): GeneratorCase => ({
  id: `T7.${finishReason}`,
  title: `an answer that ended as ${finishReason} is an answer, and says so`,
  async run(session) {
    const generator = session.create()
    for (const text of [HALF, '']) {
      const reply = await session.answering({ text, finishReason }, () => generate(generator))
      assert.equal(reply.finishReason, finishReason)
      // A service may word its refusal as it likes.
      if (finishReason !== 'refused') assert.equal(reply.text, text, 'what there is of the text')
    }
  },
})

const requestCases: readonly GeneratorCase[] = [
  {
    id: 'T8.empty',
    title: 'an empty prompt is refused before any request',
    async run(session) {
      for (const prompt of ['', ' \n'])
        await assertRejects(generate(session.create(), { prompt }), 'invalid-input', JSON.stringify(prompt))
      assert.equal(session.server.requests.length, 0, 'no request is made')
    },
  },
  {
    id: 'T8.limit',
    title: 'the most tokens of an answer reach the service; without any, those of the generator',
    async run(session) {
      const generator = session.create()
      await generate(generator, { maxOutputTokens: 17 })
      assert.equal(session.lastCall().maxOutputTokens, Math.min(17, generator.maxOutputTokens ?? 17))
      await generate(generator)
      assert.equal(session.lastCall().maxOutputTokens, generator.maxOutputTokens)
    },
  },
  {
    id: 'T8.window',
    title: 'a prompt that is known to be beyond the context is refused before any request',
    async run(session) {
      const generator = session.create()
      const { contextWindow, countTokens } = generator
      if (contextWindow === undefined || countTokens === undefined) {
        assert.ok(contextWindow === undefined || countTokens === undefined, 'nothing to count by')
        return
      }
      const prompt = 'word '.repeat(contextWindow)
      await assertRejects(generate(generator, { prompt }), 'input-too-long', 'a prompt beyond the context')
      assert.equal(session.server.requests.length, 0, 'no request is made')
    },
  },
]

export const textCasesOf = (wire: ChatWire): readonly GeneratorCase[] => [
  ...nameCases,
  ...textCases,
  ...answerCases,
  ...wire.finishReasons.filter((reason) => reason !== 'stop').map(reasonCase),
  ...requestCases,
]
