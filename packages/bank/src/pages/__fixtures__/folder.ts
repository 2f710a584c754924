import { createMemory, documents } from '@mnemark/core'
import { createInMemoryStore } from '@mnemark/store-memory'
import { bankAnnotator } from '../../facts/bank-annotator.ts'
import { FactRegistry, type FactState } from '../../facts/fact-registry.ts'
import { pageKindOf } from '../../retain/fact-places.ts'
import { type PagePlan, type PagesOptions, planPages } from '../plan-pages.ts'

/** The facts of notes, read by an index of their own, in this order. */
export async function stateOf(notes: ReadonlyMap<string, string>): Promise<FactState> {
  const workspace = documents({})
  const memory = await createMemory({
    store: createInMemoryStore(),
    workspace,
    annotators: [bankAnnotator()],
    caller: { agentId: 'main' },
  })
  try {
    for (const [path, text] of notes) workspace.put(path, text)
    return await memory.withIndex(({ snapshot }) => new FactRegistry().read(snapshot))
  } finally {
    await memory.close()
  }
}

/** A folder of notes whose pages are planned and written as a program would do it. */
export class Folder {
  readonly notes: Map<string, string>
  options: PagesOptions

  constructor(notes: Readonly<Record<string, string>>, options: PagesOptions = {}) {
    this.notes = new Map(Object.entries(notes))
    this.options = options
  }

  state(): Promise<FactState> {
    return stateOf(this.notes)
  }

  pages(): ReadonlyMap<string, string> {
    return new Map([...this.notes].filter(([path]) => pageKindOf(path) !== undefined))
  }

  async plan(): Promise<PagePlan> {
    return planPages(await this.state(), this.pages(), this.options)
  }

  /** Plans, writes, and tells what was planned. */
  async write(): Promise<PagePlan> {
    const plan = await this.plan()
    for (const { path, after } of plan.changes) this.notes.set(path, after)
    return plan
  }
}

/** A daily log. */
export function day(...lines: readonly string[]): string {
  return `Rain.\n\n## Retain\n${lines.map((line) => `- ${line}`).join('\n')}\n`
}
