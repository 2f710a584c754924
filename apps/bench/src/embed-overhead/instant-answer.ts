import { base64Vector, sampleVector } from '@mnemark/testkit'

export const DIMENSIONS = 384

/** Vectors of the first texts, in base64 as OpenAI sends them; made once. */
const vectors: string[] = []

export function vectorOf(index: number): string {
  return (vectors[index] ??= base64Vector(sampleVector(`text ${index}`, DIMENSIONS)))
}

const answers = new Map<number, string>()

/** OpenAI's answer for so many texts, as JSON. */
export function instantAnswer(count: number): string {
  const known = answers.get(count)
  if (known !== undefined) return known
  const data = Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding: vectorOf(index) }))
  const usage = { prompt_tokens: count, total_tokens: count }
  const answer = JSON.stringify({ object: 'list', data, model: 'instant', usage })
  answers.set(count, answer)
  return answer
}
