import type { GenerateRequest, TextGenerator } from '@mnemark/spec'
import { failureError } from '../failure/service-failure.ts'
import { isFields } from '../json/fields.ts'

/** Throws TypeError for members that are none, as JavaScript without types may pass them. */
export function requireTexts({ system, prompt, schema }: GenerateRequest): void {
  if (typeof system !== 'string') throw new TypeError(`system must be a string, got ${typeof system}`)
  if (typeof prompt !== 'string') throw new TypeError(`prompt must be a string, got ${typeof prompt}`)
  if (schema !== undefined && !isFields(schema)) throw new TypeError('schema must be an object of JSON Schema')
}

type GeneratorRules = Pick<TextGenerator, 'traits' | 'contextWindow' | 'countTokens'>

/** Throws for a request that is known to fail, before anything is sent. */
export function checkGenerateRequest(request: GenerateRequest, rules: GeneratorRules): void {
  const { prompt, schema, maxOutputTokens } = request
  if (prompt.trim() === '') throw failureError({ code: 'invalid-input', summary: 'the prompt is empty' })
  if (maxOutputTokens !== undefined && !(Number.isSafeInteger(maxOutputTokens) && maxOutputTokens >= 1))
    throw failureError({ code: 'invalid-input', summary: 'maxOutputTokens must be a whole number from 1' })
  if (schema !== undefined && rules.traits.hasSchema === false)
    throw failureError({
      code: 'invalid-input',
      summary: 'answers by a schema are not to be had from this model',
      nextStep: 'Ask without a schema, or choose a model or a mode that takes one.',
    })
  checkWindow(request, rules)
}

function checkWindow({ system, prompt, schema }: GenerateRequest, { contextWindow, countTokens }: GeneratorRules): void {
  if (contextWindow === undefined || countTokens === undefined) return
  const texts = [system, prompt, ...(schema === undefined ? [] : [JSON.stringify(schema)])]
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0)
  if (tokens < contextWindow) return
  throw failureError({
    code: 'input-too-long',
    summary: `${tokens} tokens leave no room for an answer in a window of ${contextWindow}`,
    nextStep: 'Send a shorter prompt.',
  })
}
