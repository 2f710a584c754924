import { bankAnnotator, curveOf, FactRegistry, type Opinion, opinionsOf } from '@mnemark/bank'
import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { expectedConfidence, scriptedNotes, scriptedOpinions } from './scripted-opinions.ts'

const SEED = 7
const script = scriptedOpinions(SEED, 40)

async function opinionsIn(notes: Readonly<Record<string, string>>): Promise<readonly Opinion[]> {
  const memory = await createMemory({
    store: createInMemoryStore(),
    workspace: documents(notes),
    annotators: [bankAnnotator()],
    caller: { agentId: 'main' },
  })
  try {
    return await memory.withIndex(async ({ snapshot }) => opinionsOf(await new FactRegistry().read(snapshot)))
  } finally {
    await memory.close()
  }
}

test('40 scripted opinions follow the formula on every day to 1e-9, indexed in either order', async () => {
  const notes = scriptedNotes(script)
  const opinions = await opinionsIn(notes)
  expect(opinions).toHaveLength(script.length)
  let moves = 0
  for (const scripted of script) {
    const opinion = opinions.find(({ entities }) => entities[0]?.name === scripted.entity)
    const last = expectedConfidence(scripted, '9999-12-31')
    expect(Math.abs((opinion?.confidence ?? -1) - last)).toBeLessThan(1e-9)
    for (const { day, confidence } of opinion === undefined ? [] : curveOf(opinion)) {
      moves += 1
      expect(Math.abs(confidence - expectedConfidence(scripted, day))).toBeLessThan(1e-9)
    }
  }
  expect(moves).toBeGreaterThan(script.length * 2)
  const turned = await opinionsIn(Object.fromEntries(Object.entries(notes).reverse()))
  expect(turned.map(({ id, confidence }) => [id, confidence])).toEqual(opinions.map(({ id, confidence }) => [id, confidence]))
})
