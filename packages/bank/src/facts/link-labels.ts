import { entityKey } from '@mnemark/core/document'
import type { Entities } from '../entities/entities.ts'
import { LEAST_LABELS } from '../entities/suggest-merges.ts'
import type { FactState } from './fact-registry.ts'

/** A text that links in facts show for their target: `[[people/Mara|M.]]`. */
export interface LinkLabel {
  readonly name: string
  /** Folded. */
  readonly label: string
  readonly target: string
  /** Facts in which it stands, copies left out. */
  readonly count: number
}

/** Labels that stand in two facts or more. A label is a weak alias: it is suggested, and never joins two names by itself. */
export function linkLabels({ facts }: Pick<FactState, 'facts'>): readonly LinkLabel[] {
  const labels = new Map<string, LinkLabel>()
  for (const { entities, mentions, isCopy } of facts) {
    if (isCopy) continue
    for (const { key: target, label: name = '' } of [...entities, ...mentions]) {
      const label = entityKey(name)
      if (label === '' || label === target) continue
      const pair = `${target}\0${label}`
      const known = labels.get(pair)
      labels.set(pair, { name: known?.name ?? name, label, target, count: (known?.count ?? 0) + 1 })
    }
  }
  return [...labels.values()].filter(({ count }) => count >= LEAST_LABELS)
}

/** The entities of a state with its labels among the names, so that a label can be suggested and merged that no fact names otherwise. */
export function withLabels(entities: Entities, labels: readonly LinkLabel[]): Entities {
  const unknown = labels.filter(({ label }) => entities.find(label) === undefined)
  return unknown.length === 0 ? entities : entities.withNames(unknown.map(({ name, label }) => ({ name, key: label })))
}
