import { parseArgs } from 'node:util'
import { BadUse } from '../report/bad-use.ts'
import { HYBRID_VARIANTS, type Ranking } from './rankings.ts'
import type { Split } from './tasks/task.ts'
import type { StoreKind } from './tasks/task-memory.ts'
import { type Variant, VARIANTS } from './variants.ts'

export const USAGE = `usage: pnpm bench:quality [--data DIR] [--split tune|final|all] [--set TEXT] [--store memory|sqlite]
                         [--every N] [--ablate] [--variant TEXT] [--json FILE] [--svg FILE] [--docs]
       pnpm bench:quality --hybrid [--vectors FILE] [the same]
       pnpm bench:quality --cross [--data DIR] [--every N] [--json FILE] [--docs]

  --hybrid      words and vectors of a real model, one by one and together, on the English sets
  --cross       questions in one language, passages in another (XQuAD), by words
  --data DIR    folder of the evaluation data, else MNEMARK_EVAL_DATA; without one the benchmark is skipped
  --split       tune (default) while rules are chosen, final for a last check, all
  --set TEXT    only sets whose name holds TEXT, for example "tydiqa-goldp ar"
  --store       which store holds the index; the answers are the same; memory, and with --hybrid sqlite
  --every N     ask only every Nth question: quicker, less exact
  --ablate      also run each named variant of the settings and weights; --hybrid always does
  --variant TEXT  only variants whose name holds TEXT
  --vectors FILE  keep the vectors of --hybrid here, and read them back in the next run
  --json, --svg write the figures, or a chart, to a file
  --docs        write the tables into docs/quality.md; with --every only that of --ablate`

export interface CommonOptions {
  readonly data: string | undefined
  readonly every: number
  readonly store: StoreKind
  readonly json: string | undefined
  readonly svg: string | undefined
  readonly isForDocs: boolean
}
export interface SetOptions extends CommonOptions {
  readonly split: Split | 'all'
  readonly set: string
}
export interface KeywordOptions extends SetOptions {
  readonly kind: 'keywords'
  readonly variants: readonly Variant[]
}
export interface HybridOptions extends SetOptions {
  readonly kind: 'hybrid'
  readonly variants: readonly Ranking[]
  /** Selects the variants whose names contain this text. */
  readonly variant: string
  readonly vectors: string | undefined
}
export interface CrossOptions extends CommonOptions {
  readonly kind: 'cross'
}
export type Options = KeywordOptions | HybridOptions | CrossOptions

function oneOf<const Choice extends string>(option: string, value: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === value)
  if (choice === undefined) throw new BadUse(`--${option}: expected ${choices.join(', ')}, got ${value}\n\n${USAGE}`)
  return choice
}

function wholeNumber(option: string, value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new BadUse(`--${option}: expected a whole number from 1, got ${value}`)
  return Number(value)
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      hybrid: { type: 'boolean', default: false },
      cross: { type: 'boolean', default: false },
      data: { type: 'string' },
      split: { type: 'string' },
      set: { type: 'string' },
      store: { type: 'string' },
      every: { type: 'string', default: '1' },
      ablate: { type: 'boolean', default: false },
      variant: { type: 'string', default: '' },
      vectors: { type: 'string' },
      json: { type: 'string' },
      svg: { type: 'string' },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values
}
type Values = ReturnType<typeof parse>

/** An option that this kind of run does not have is an error. */
function refuse(values: Values, names: readonly (keyof Values)[], kind: string): void {
  const given = names.find((name) => values[name] !== undefined && values[name] !== false)
  if (given !== undefined) throw new BadUse(`--${given} does not go with ${kind}\n\n${USAGE}`)
}

/** Undefined where only the usage is asked for. Throws BadUse, or what parseArgs throws. */
export function readOptions(argv: readonly string[]): Options | undefined {
  const values = parse(argv)
  if (values.help) return undefined
  const { data, json, svg, variant } = values
  const store = oneOf('store', values.store ?? (values.hybrid ? 'sqlite' : 'memory'), ['memory', 'sqlite'])
  const common: CommonOptions = { data, json, svg, store, every: wholeNumber('every', values.every), isForDocs: values.docs }
  if (values.cross) {
    refuse(values, ['hybrid', 'split', 'set', 'ablate', 'vectors', 'svg'], '--cross')
    return { kind: 'cross', ...common }
  }
  if (values.docs && values.set !== undefined) throw new BadUse('--docs writes whole tables: leave --set out.')
  const split = oneOf('split', values.split ?? 'tune', ['tune', 'final', 'all'])
  const sets: SetOptions = { ...common, split, set: values.set ?? '' }
  if (values.hybrid) {
    refuse(values, ['ablate'], '--hybrid')
    const variants = HYBRID_VARIANTS.filter(({ name }) => name.includes(variant))
    return { kind: 'hybrid', ...sets, variants, variant, vectors: values.vectors }
  }
  refuse(values, ['vectors'], 'keywords alone')
  return { kind: 'keywords', ...sets, variants: values.ablate ? VARIANTS.filter(({ name }) => name.includes(variant)) : [] }
}
