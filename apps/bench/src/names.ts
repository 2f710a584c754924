/** Whether the note that is asked for by its name comes first: `pnpm bench:names`. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exampleVault } from './names/example-vault.ts'
import { measureNames, type NameFigures, type VaultFigures } from './names/measure-names.ts'
import { makeVault, NAME_KINDS } from './names/named-vault.ts'
import type { StoreKind } from './quality/tasks/task-memory.ts'
import { BadUse, runCommand } from './report/bad-use.ts'
import { writeSection } from './report/document-section.ts'
import { describeMachine, provenance } from './report/machine.ts'
import { markdownTable, plainTable, type Table } from './report/table.ts'
import { SCRIPTS } from './speed/notes/word-model.ts'

const NAMES_PER_KIND = 40
const TARGETS = { first: 0.98, line: 0.95 } as const

const USAGE = `usage: pnpm bench:names [--names ${NAMES_PER_KIND}] [--store memory|sqlite] [--missed] [--json FILE] [--docs]

  --names    notes of each kind of name in each made-up vault
  --store    memory (default) or sqlite
  --missed   print every question whose note was not first, or whose line was not shown
  --json     write the figures to a file
  --docs     write the table into docs/quality.md`

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function cells(figures: NameFigures): readonly string[] {
  return [String(figures.questions), percent(figures.first), percent(figures.inFirstThree), percent(figures.line)]
}

function tableOf(vaults: readonly VaultFigures[]): Table {
  const numbers = ['questions', 'first', 'in the first 3', 'line shown'].map((title) => ({ title, isNumber: true }))
  const rows = vaults.flatMap(({ name, byKind, ...all }) => [
    [name, 'all', ...cells(all)],
    ...NAME_KINDS.flatMap((kind) => {
      const figures = byKind.get(kind)
      return figures === undefined ? [] : [[name, kind, ...cells(figures)]]
    }),
  ])
  return { columns: [{ title: 'vault' }, { title: 'asked for by' }, ...numbers], rows }
}

function verdict(vaults: readonly VaultFigures[]): string {
  const short = vaults.filter(({ first, line }) => first < TARGETS.first || line < TARGETS.line).map(({ name }) => name)
  const targets = `the note so called first in ${percent(TARGETS.first)}, its line shown in ${percent(TARGETS.line)}`
  return short.length === 0 ? `Held in every vault: ${targets}.` : `Not held in ${short.join(', ')}: ${targets}.`
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      names: { type: 'string', default: String(NAMES_PER_KIND) },
      store: { type: 'string', default: 'memory' },
      missed: { type: 'boolean', default: false },
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const perKind = Number(values.names)
  if (!Number.isSafeInteger(perKind) || perKind < 1)
    throw new BadUse(`--names: expected a number from 1, got ${values.names}\n\n${USAGE}`)
  if (values.store !== 'memory' && values.store !== 'sqlite')
    throw new BadUse(`--store: expected memory or sqlite, got ${values.store}\n\n${USAGE}`)
  const store: StoreKind = values.store
  const machine = describeMachine()
  const vaults: VaultFigures[] = []
  for (const vault of [exampleVault(), ...SCRIPTS.map((script) => makeVault(script, perKind))])
    vaults.push(await measureNames(vault, store))
  const table = tableOf(vaults)
  console.log(`${plainTable(table)}\n\n${verdict(vaults)}`)
  if (values.missed)
    for (const { name, missed } of vaults)
      for (const { kind, text, path } of missed) console.log(`${name}: ${kind} "${text}" -> ${path}`)
  if (values.json !== undefined)
    writeFileSync(
      values.json,
      `${JSON.stringify({ machine, vaults: vaults.map(({ byKind, ...all }) => ({ ...all, byKind: Object.fromEntries(byKind) })) }, null, 2)}\n`,
    )
  if (values.docs)
    writeSection(
      'quality.md',
      'names',
      `${provenance(machine, 'pnpm bench:names')}\n\n${markdownTable(table)}\n\n${verdict(vaults)}`,
    )
})
