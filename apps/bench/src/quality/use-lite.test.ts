import { expect, test } from 'vitest'
import { RememberedVectors } from './remembered-vectors.ts'
import { createUseLite, USE_LITE } from './use-lite.ts'

const input = (text: string) => ({ type: 'text', text }) as const

async function vectorsOf(remembered: RememberedVectors, ...texts: readonly string[]): Promise<readonly Float32Array[]> {
  const { vectors } = await createUseLite(remembered).embed({ inputs: texts.map(input), inputType: 'document' })
  return vectors.map((vector) => vector ?? new Float32Array())
}

function cosine(left: Float32Array | undefined, right: Float32Array | undefined): number {
  return Array.from(left ?? []).reduce((sum, value, at) => sum + value * (right?.[at] ?? 0), 0)
}

test('what means the same is nearer than what shares words', async () => {
  const texts = [
    'My puppy is ill and sees the vet.',
    'The dog needs a doctor for animals.',
    'My car is old and sees the mechanic.',
  ]
  const [puppy, dog, car] = await vectorsOf(new RememberedVectors(USE_LITE.model), ...texts)
  expect(puppy).toHaveLength(USE_LITE.dimensions)
  expect(cosine(puppy, puppy)).toBeCloseTo(1, 5)
  expect(cosine(puppy, dog)).toBeGreaterThan(cosine(puppy, car))
})

test('a text is embedded with others as it is alone, twice in one request, and not again once it is remembered', async () => {
  const remembered = new RememberedVectors(USE_LITE.model)
  remembered.add(
    'known',
    Array.from({ length: USE_LITE.dimensions }, (_, at) => (at === 0 ? 3 : 0)),
  )
  const [known, first, , again] = await vectorsOf(
    remembered,
    'known',
    'A boat.',
    'A long line about something else entirely.',
    'A boat.',
  )
  expect(known?.[0]).toBe(1)
  const [alone] = await vectorsOf(new RememberedVectors(USE_LITE.model), 'A boat.')
  expect(cosine(first, alone)).toBeCloseTo(1, 5)
  expect(again).toEqual(first)
})
