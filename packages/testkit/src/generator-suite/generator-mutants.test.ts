/** The suite tested: a small sound generator passes, and each way of breaking it is caught by the case that is meant for it. */
import type { FinishReason, GenerateReply, GenerateRequest, TextGenerator } from '@mnemark/spec'
import { expect, test } from 'vitest'
import { chatCompletionsWire } from '../protocol-servers/chat/chat-completions-wire.ts'
import { recordOf } from '../protocol-servers/wire/read-fields.ts'
import { callOnce, failed, soundCall } from '../service-suite/sample-service.ts'
import { type ProviderSetup, SECRET } from '../service-suite/service-target.ts'
import type { TextGeneratorTarget } from './generator-target.ts'
import { textGeneratorCases } from './text-generator-cases.ts'

type Parts = ReturnType<typeof soundParts>

const REASONS: Readonly<Record<string, FinishReason>> = { stop: 'stop', length: 'length', content_filter: 'filtered' }

/** The decisions of a generator, each replaceable. */
function soundParts() {
  return {
    ...soundCall(),
    traits: { isLocal: true } as TextGenerator['traits'],
    checkPrompt: (prompt: string): void => {
      if (prompt.trim() === '') throw failed('invalid-input')
    },
    checkSchema: (schema: object | undefined): void => {
      if (JSON.stringify(schema ?? {}).includes('#/$defs/none')) throw failed('invalid-input')
    },
    messages: (system: string, prompt: string): object[] => [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: prompt },
    ],
    format: (schema: object | undefined): object =>
      schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } },
    limit: (maxOutputTokens: number | undefined): object =>
      maxOutputTokens === undefined ? {} : { max_completion_tokens: maxOutputTokens },
    options: ({ temperature }: Readonly<Record<string, unknown>>): object => (temperature === undefined ? {} : { temperature }),
    reason: (word: unknown, isRefusal: boolean): FinishReason => {
      const reason = REASONS[String(word)]
      if (reason === undefined) throw failed('bad-response')
      return isRefusal ? 'refused' : reason
    },
    checkText: (text: unknown, reason: FinishReason): string => {
      if (typeof text !== 'string') return reason === 'stop' ? refuse() : ''
      return reason === 'stop' && text.trim() === '' ? refuse() : text
    },
    checkAnswer: (text: string): void => {
      if (!fits(text)) throw failed('bad-response')
    },
    usage: (usage: unknown): Pick<GenerateReply, 'usage'> => {
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = recordOf(usage) ?? {}
      return typeof inputTokens === 'number' && typeof outputTokens === 'number' ? { usage: { inputTokens, outputTokens } } : {}
    },
  }
}

const refuse = (): never => {
  throw failed('bad-response')
}

/** The one schema of the suite. */
function fits(text: string): boolean {
  try {
    const { names, count, ...more } = JSON.parse(text)
    const isList = Array.isArray(names) && names.every((name) => typeof name === 'string')
    return isList && Number.isInteger(count) && Object.keys(more).length === 0
  } catch {
    return false
  }
}

function createSample(given: ProviderSetup, mutant: Partial<Parts>): TextGenerator {
  const parts = { ...soundParts(), ...mutant }
  const setup = { ...given, apiKey: String(given.set['apiKey'] ?? given.apiKey) }
  parts.checkKey(setup.apiKey)
  parts.onCreate(setup)
  const generate = async ({ system, prompt, schema, maxOutputTokens, signal }: GenerateRequest): Promise<GenerateReply> => {
    if (signal?.aborted) throw parts.cancelled(signal)
    parts.checkPrompt(prompt)
    parts.checkSchema(schema)
    const body = {
      model: 'sample-model',
      messages: parts.messages(parts.text(system), parts.text(prompt)),
      ...parts.format(schema),
      ...parts.limit(maxOutputTokens),
      ...parts.options(setup.set),
    }
    const { choices, usage } = recordOf(await callOnce({ setup, path: '/chat/completions', parts }, body, signal)) ?? {}
    const choice = Array.isArray(choices) ? recordOf(choices[0]) : undefined
    const message = recordOf(choice?.['message'])
    if (message === undefined) throw failed('bad-response')
    const finishReason = parts.reason(choice?.['finish_reason'], typeof message['refusal'] === 'string')
    const text = parts.checkText(message['content'], finishReason)
    if (schema !== undefined && finishReason === 'stop') parts.checkAnswer(text)
    return { text, finishReason, ...parts.usage(usage) }
  }
  const { traits } = parts
  return { specVersion: 'v1', provider: 'sample', endpoint: setup.baseUrl, model: 'sample-model', traits, generate }
}

const targetOf = (mutant: Partial<Parts>): TextGeneratorTarget => ({
  create: (setup) => createSample(setup, mutant),
  wire: chatCompletionsWire(),
  misconfigured: [{ apiKey: '' }],
  options: [{ set: { temperature: 0.5 }, expect: (body) => body['temperature'] === 0.5 }],
})

async function failing(mutant: Partial<Parts>, ids?: readonly string[]): Promise<readonly string[]> {
  const failures: string[] = []
  for (const { id, run } of textGeneratorCases(targetOf(mutant)))
    if (ids === undefined || ids.includes(id)) await run().catch(() => failures.push(id))
  return failures
}

test('a sound generator without any of our code passes every case', async () => {
  expect(await failing({})).toEqual([])
})

const MUTANTS: Readonly<Record<string, { readonly mutant: Partial<Parts>; readonly caughtBy: readonly string[] }>> = {
  'asks the service while it is made': {
    mutant: { onCreate: ({ fetch, baseUrl }) => void fetch(`${baseUrl}/models`).catch(() => {}) },
    caughtBy: ['T1.quiet'],
  },
  'takes any key': { mutant: { checkKey: () => {} }, caughtBy: ['T1.config'] },
  'joins system and prompt': {
    mutant: { messages: (system, prompt) => [{ role: 'user', content: `${system}\n${prompt}` }] },
    caughtBy: ['T3', 'T3.injection'],
  },
  'cleans the prompt of what looks like markup': {
    mutant: { text: (text) => text.toWellFormed().replace(/<[^>]*>/g, '') },
    caughtBy: ['T3.injection'],
  },
  'trims answers': {
    mutant: { checkText: (text, reason) => soundParts().checkText(text, reason).trim() },
    caughtBy: ['T5.large'],
  },
  'passes an empty answer on': { mutant: { checkText: (text) => String(text ?? '') }, caughtBy: ['T4.empty'] },
  'reads answers without end': { mutant: { maxBytes: 2 ** 26 }, caughtBy: ['T5.large'] },
  'ignores a schema': { mutant: { format: () => ({}), checkAnswer: () => {} }, caughtBy: ['T6', 'T6.against'] },
  'trusts the answer to fit': { mutant: { checkAnswer: () => {} }, caughtBy: ['T6.against'] },
  'shows the answer that does not fit': {
    mutant: {
      checkAnswer: (text) => {
        if (!fits(text)) throw failed('bad-response', { cause: new Error(text) })
      },
    },
    caughtBy: ['T6.against'],
  },
  'claims to take no schema and ignores it': {
    mutant: { traits: { isLocal: true, hasSchema: false }, format: () => ({}) },
    caughtBy: ['T6'],
  },
  'sends a schema that leads nowhere': { mutant: { checkSchema: () => {} }, caughtBy: ['T6.unclear'] },
  'takes every answer for a whole one': { mutant: { reason: () => 'stop' }, caughtBy: ['T7.length', 'T7.filtered', 'T7.other'] },
  'takes a refusal for an answer': {
    mutant: { reason: (word) => soundParts().reason(word, false), checkText: (text) => String(text) },
    caughtBy: ['T7.refused'],
  },
  'throws a cut answer away': {
    mutant: {
      reason: (word, isRefusal) => (word === 'length' ? refuse() : soundParts().reason(word, isRefusal)),
    },
    caughtBy: ['T6.cut', 'T7.length'],
  },
  'asks about nothing': { mutant: { checkPrompt: () => {} }, caughtBy: ['T8.empty'] },
  'drops the limit of the answer': { mutant: { limit: () => ({}) }, caughtBy: ['T8.limit'] },
  'loses the reason of an abort': { mutant: { cancelled: () => failed('cancelled') }, caughtBy: ['T9.before', 'T9.silence'] },
  'reports 0 tokens for unknown': {
    mutant: { usage: (usage) => ({ usage: { inputTokens: 0, outputTokens: 0, ...soundParts().usage(usage).usage } }) },
    caughtBy: ['T10'],
  },
  'reads no date': { mutant: { waitMs: (headers) => Number(headers.get('retry-after')) * 1000 }, caughtBy: ['T11.rate-limit'] },
  'follows redirects': { mutant: { redirect: 'follow' }, caughtBy: ['T11.redirect'] },
  'retries inside': { mutant: { retries: 2 }, caughtBy: ['T12'] },
  'says what the service said': {
    mutant: { error: (code, details, said) => failed(code, { ...details, cause: new Error(said) }) },
    caughtBy: ['T13.echo'],
  },
  'drops an option': { mutant: { options: () => ({}) }, caughtBy: ['T14'] },
  'sends half an emoji': { mutant: { text: (text) => text }, caughtBy: ['T15'] },
}

test.for(Object.entries(MUTANTS))('a generator that %s is caught', async ([, { mutant, caughtBy }]) => {
  expect(await failing(mutant, caughtBy)).toEqual(expect.arrayContaining([...caughtBy]))
})

test('every case has an id of its own, and a deviation fails once its case passes', async () => {
  const cases = textGeneratorCases(targetOf({}), [{ id: 'T10', reason: 'the service counts nothing' }])
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  await expect(cases.find(({ id }) => id === 'T10')?.run()).rejects.toThrow('T10 passes now')
  expect(JSON.stringify(cases)).not.toContain(SECRET)
})
