import type { MemoryBackend } from '@mnemark/spec'
import { createMemory } from '@mnemark/core'
import { memoryOptions, openStore, type StoreKind } from '../quality/tasks/task-memory.ts'
import { NAME_KINDS, type NamedVault, type NameKind, type NameQuestion } from './named-vault.ts'

/** Shares of the questions. */
export interface NameFigures {
  readonly questions: number
  readonly first: number
  readonly inFirstThree: number
  /** The answering line, whole up to the 60th letter, is in the snippet of the first hit. */
  readonly line: number
}
export interface VaultFigures extends NameFigures {
  readonly name: string
  readonly notes: number
  readonly byKind: ReadonlyMap<NameKind, NameFigures>
  readonly missed: readonly NameQuestion[]
}

const LINE_LETTERS = 60

interface Outcome {
  readonly question: NameQuestion
  readonly place: number
  readonly showsLine: boolean
}

async function askFor(memory: MemoryBackend, question: NameQuestion): Promise<Outcome> {
  const { hits } = await memory.search({ text: question.text, caller: { agentId: 'main' } })
  const place = hits.findIndex(({ path }) => path === question.path)
  const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim()
  const snippet = place === 0 ? squeezed(hits[0]?.snippet ?? '') : ''
  return { question, place, showsLine: snippet.includes(squeezed(question.answer).slice(0, LINE_LETTERS)) }
}

function figuresOf(outcomes: readonly Outcome[]): NameFigures {
  const share = (fits: (outcome: Outcome) => boolean) => outcomes.filter(fits).length / outcomes.length
  return {
    questions: outcomes.length,
    first: share(({ place }) => place === 0),
    inFirstThree: share(({ place }) => place >= 0 && place < 3),
    line: share(({ showsLine }) => showsLine),
  }
}

/** Asks for every name of a vault through the product's own pipeline, with default settings. */
export async function measureNames(vault: NamedVault, store: StoreKind): Promise<VaultFigures> {
  const task = { name: vault.name, notes: vault.notes, questions: [], settings: {} }
  const memory = await createMemory(
    memoryOptions(task, { store: await openStore(store), settings: { language: vault.language } }),
  )
  try {
    await memory.sync()
    const outcomes: Outcome[] = []
    for (const question of vault.questions) outcomes.push(await askFor(memory, question))
    const kinds = NAME_KINDS.filter((kind) => outcomes.some(({ question }) => question.kind === kind))
    return {
      name: vault.name,
      notes: vault.notes.length,
      ...figuresOf(outcomes),
      byKind: new Map(kinds.map((kind) => [kind, figuresOf(outcomes.filter(({ question }) => question.kind === kind))])),
      missed: outcomes.filter(({ place, showsLine }) => place !== 0 || !showsLine).map(({ question }) => question),
    }
  } finally {
    await memory.close()
  }
}
