import type { DocumentContent } from '@mnemark/spec'
import type { Outline } from '../document/markdown/outline.ts'
import type { ChunkUnits } from './chunk-units.ts'
import type { HeadingContext } from './heading-contexts.ts'

export interface BorderRules {
  readonly sections: DocumentContent['sections']
  /** Every entry of the document is a separate chunk. */
  readonly isCurated: boolean
  /** For each heading; those of a `## Retain` section are curated too, those of different days are kept apart. */
  readonly contexts: readonly HeadingContext[]
}

/** First units of the parts that chunks do not cross, in order. Headings before an entry go with it. */
export function bordersOf(units: ChunkUnits, outline: Outline, rules: BorderRules): number[] {
  const beginsSection = sectionStarts(rules.sections)
  const borders: number[] = []
  let hasContent = false
  for (let unit = 0; unit < units.count; unit++) {
    const line = units.lines[unit] ?? 0
    const isSection = line !== units.lines[unit - 1] && beginsSection(line)
    const isCut = hasContent && (isEntry(units, outline, { unit, rules }) || isNewDay(units, unit, rules))
    if (unit === 0 || isSection || isCut) {
      borders.push(unit)
      hasContent = false
    }
    const kind = outline.kinds[line]
    if (kind !== 'heading' && kind !== 'hidden' && kind !== 'rule') hasContent = true
  }
  return borders
}

/** Whether a section began or ended since the previous line; lines must come in order. */
function sectionStarts(sections: DocumentContent['sections']): (line: number) => boolean {
  const lines = (sections ?? []).flatMap(({ startLine, endLine }) => [startLine - 1, endLine]).sort((left, right) => left - right)
  let next = 0
  return (line) => {
    const before = next
    while (next < lines.length && (lines[next] ?? 0) <= line) next++
    return next > before
  }
}

function isCuratedAt(units: ChunkUnits, unit: number, rules: BorderRules): boolean {
  return rules.isCurated || rules.contexts[units.headings[unit] ?? -1]?.isRetained === true
}

/** Headings, top-level items, and text that follows a list without belonging to it. */
function isEntry(units: ChunkUnits, outline: Outline, at: { readonly unit: number; readonly rules: BorderRules }): boolean {
  const { unit, rules } = at
  const isCurated = isCuratedAt(units, unit, rules)
  if ((units.levels[unit] ?? 0) > 0) return isCurated || isCuratedAt(units, unit - 1, rules)
  const line = units.lines[unit] ?? 0
  if (!isCurated || units.parents[unit] !== -1 || line === units.lines[unit - 1]) return false
  if (outline.kinds[line] === 'list') return true
  return outline.kinds[units.lines[unit - 1] ?? 0] === 'list' || units.parents[unit - 1] !== -1
}

function isNewDay(units: ChunkUnits, unit: number, rules: BorderRules): boolean {
  const [before, after] = [units.headings[unit - 1] ?? -1, units.headings[unit] ?? -1]
  if (before === after) return false
  const [left, right] = [rules.contexts[before]?.date, rules.contexts[after]?.date]
  return left?.from !== right?.from || left?.to !== right?.to
}
