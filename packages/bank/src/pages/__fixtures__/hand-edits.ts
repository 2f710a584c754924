import type { IndexedFact } from '../../facts/chunks/facts-of-chunks.ts'
import type { FactState } from '../../facts/fact-registry.ts'
import { randomFrom } from '../../retain/__fixtures__/generated-sections.ts'
import { adoptPage } from '../adopt-page.ts'
import { pagedEntities } from '../entity-page-path.ts'
import { readBlock } from '../managed-block.ts'
import { isClosed } from '../page-facts.ts'
import { harmless, readable } from '../page-item.ts'
import type { PagePlan } from '../plan-pages.ts'
import { day, Folder } from './folder.ts'

const SAID = [
  'W @Mara: lives in Oslo', 'W @Mara: moved to Bergen', 'W @Mara: lives in Fez', 'W @Mara: plays chess', 'W @Mara: has two cats (by: agent)',
  'B @Mara: was told of the <b>move</b>', 'O(c=0.8) @Mara: prefers mail', 'W @Nils: mends the boat for @Mara', 'W @Nils: يسكن في فاس',
  'W @Nils: plays chess', 'S @Nils: was away', 'W @Nils @Club: are at odds', 'W @Club: meets on Mondays', 'W: the ferry takes four hours',
  'B: it rained all day', 'W @Mara: does not play chess (contradicts: "plays chess")', 'W @Mara: has three cats (corrects: "has two cats")',
] as const
const LINES = [
  '- sings', 'She rows.', '', '- O(c=0.4): hates 50 %% of mornings', '# A heading', '> a quote', '```', '- W @Nils: is tall', '  - a remark below',
  '**bold**', '- [ ] call her', '<!-- a thought -->', '- see [[Nils]]', '| a | b |', '---', '- لا تحب القهوة', '\t- with a tab', '~~gone~~', '1. one',
] as const
const WORDS = ['chess', 'Bergen', 'not', '2025-01-01', '^ab12cd34ef', '(see memory/x.md)', '@Nils', '<', '😀', ' '] as const

/** The faults of a folder whose pages are edited by hand this many times, with a plan after each edit; empty if there are none. */
export async function faultsOfHandEdits(seed: number, edits: number): Promise<readonly string[]> {
  const random = randomFrom(seed)
  const folder = new Folder(notesFrom(random))
  await folder.write()
  const faults: string[] = []
  for (let at = 0; at < edits; at += 1) {
    const found = await faultsOfEdit(folder, random)
    faults.push(...found.map((fault) => `seed ${seed}, edit ${at + 1}: ${fault}`))
    if (found.length > 0) break
  }
  return faults
}

function pick<Item>(random: () => number, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0]
}

function below(random: () => number, count: number): number {
  return Math.floor(random() * count)
}

function notesFrom(random: () => number): Readonly<Record<string, string>> {
  const notes: Record<string, string> = { 'bank/slots.md': '---\nslots:\n  home: ["lives in", "moved to"]\n---\n\n# Slots\n' }
  for (let month = 1; month <= 6; month += 1) notes[`memory/2025-0${month}-01.md`] = day(...linesFrom(random))
  notes['bank/entities/Mara.md'] = '\uFEFF---\naliases: [M.]\n---\r\n# Mara\r\n\r\n- keeps bees\r\n'
  return notes
}

function linesFrom(random: () => number): readonly string[] {
  return Array.from({ length: 1 + below(random, 5) }, () => pick(random, SAID))
}

async function faultsOfEdit(folder: Folder, random: () => number): Promise<readonly string[]> {
  const pages = [...folder.pages().keys()].filter((path) => path !== 'bank/slots.md').toSorted()
  const path = pages[below(random, pages.length)] ?? ''
  const before = folder.notes.get(path) ?? ''
  let edited = before
  for (let count = 1 + below(random, 3); count > 0; count -= 1) edited = handEdit(edited, random)
  folder.notes.set(path, edited)
  if (random() < 0.2) folder.notes.set(`memory/2025-07-${String(10 + below(random, 20))}.md`, day(...linesFrom(random)))
  const texts = new Map(folder.notes)
  const plan = await folder.write()
  const faults = [...faultsOfPlan(texts, plan, folder)]
  const block = readBlock(edited)
  // A person mends a damaged page by taking the edit back, or begins it anew.
  for (const one of plan.damaged) folder.notes.set(one.path, one.path === path ? before : '# Mended\n')
  if (plan.damaged.every((one) => one.path !== path) && block.state === 'whole' && block.isEdited) faults.push(...(await adopt(folder, path)))
  await folder.write()
  const back = block.state === 'whole' ? deletedIds(before, edited).filter((id) => hasBullet(folder.notes.get(path), id)) : []
  return [...faults, ...back.map((id) => `${path}: the deleted ^${id} is back`), ...(await faultsOfPages(folder))]
}

/** Ids of the bullets that an edit took out of a block whose closing marker it left alone. */
function deletedIds(before: string, edited: string): readonly string[] {
  const [was, is] = [readBlock(before), readBlock(edited)]
  if (was.state !== 'whole' || is.state !== 'whole' || was.attributes['ids'] !== is.attributes['ids']) return []
  if (was.attributes['lines'] !== is.attributes['lines']) return []
  return [...was.body.matchAll(/^- .* \^(\w+)$/gm)].flatMap(([, id = '']) => (is.body.includes(`^${id}`) ? [] : [id]))
}

function hasBullet(page: string | undefined, id: string): boolean {
  return page?.split(/\r?\n/).some((line) => line.endsWith(` ^${id}`)) === true
}

function handEdit(page: string, random: () => number): string {
  const lines = page.split('\n')
  const at = below(random, lines.length)
  const line = lines[at] ?? ''
  const kind = below(random, 8)
  if (kind === 0) return lines.toSpliced(at, 1).join('\n')
  if (kind === 1) return lines.toSpliced(at, 0, line).join('\n')
  if (kind === 2 || kind === 3) return lines.toSpliced(at, 0, pick(random, LINES)).join('\n')
  if (kind === 4) return page.includes('\r\n') ? page.replaceAll('\r\n', '\n') : page.replaceAll('\n', '\r\n')
  if (kind === 5) return page.replace(/\s+$/, '')
  const words = line.split(' ')
  words.splice(below(random, words.length), kind === 6 ? 0 : 1, pick(random, WORDS))
  return lines.with(at, words.join(' ')).join('\n')
}

/** Checks what the plan did to every page against the page as it was. */
function faultsOfPlan(texts: ReadonlyMap<string, string>, plan: PagePlan, folder: Folder): readonly string[] {
  const faults: string[] = []
  for (const [path, before] of texts) {
    const after = folder.notes.get(path) ?? ''
    const block = readBlock(before, { ignoresNumbers: path.endsWith('opinions.md') })
    const isPlanned = plan.changes.some((change) => change.path === path)
    if (block.state === 'none' && !after.startsWith(before)) faults.push(`${path}: a byte before the new block changed`)
    if (block.state === 'whole' && block.isEdited) {
      if (!plan.edited.some((one) => one.path === path)) faults.push(`${path}: an edited block is not named`)
      if (isPlanned) faults.push(`${path}: an edited block was written over`)
    } else if (block.state === 'whole') {
      const isKept = after.startsWith(before.slice(0, block.start)) && after.endsWith(before.slice(block.end))
      if (!isKept) faults.push(`${path}: a byte outside the block changed`)
    }
    const isNamed = plan.damaged.some((one) => one.path === path)
    if (block.state === 'damaged' && (isPlanned || !isNamed)) faults.push(`${path}: a damaged page is not left alone and named`)
  }
  return faults
}

async function adopt(folder: Folder, path: string): Promise<readonly string[]> {
  const before = folder.notes.get(path) ?? ''
  const block = readBlock(before)
  const adoption = adoptPage(path, await folder.state(), folder.pages(), folder.options)
  if (adoption === undefined || block.state !== 'whole') return [`${path}: an edited block is not adopted`]
  const { facts, tombstones, text } = adoption
  folder.options = { ...folder.options, tombstones: [...(folder.options.tombstones ?? []), ...tombstones] }
  const log = 'memory/2025-08-01.md'
  const known = (folder.notes.get(log) ?? day()).trimEnd()
  folder.notes.set(log, `${known}\n${facts.map(({ line }) => `${line}\n`).join('')}`)
  folder.notes.set(path, text)
  const isKept = text.startsWith(before.slice(0, block.start)) && text.endsWith(before.slice(block.end))
  const said = (line: string): string => readable(line.trim()).replace(/^[-*+•\d.)]+\s/, '')
  const lost = LINES.filter((line) => {
    const isInside = line.length > 3 && block.body.split('\n').some((one) => one.trimEnd() === line)
    const kept = facts.some(({ content }) => said(line).includes(content)) || text.includes(line.trim())
    return isInside && !kept
  })
  return [...(isKept ? [] : [`${path}: adopting changed a byte outside`]), ...lost.map((line) => `${path}: adopting lost ${line}`)]
}

/** Checks that every fact that stands is on its page, that no deleted bullet is back, and that nothing is left to do. */
async function faultsOfPages(folder: Folder): Promise<readonly string[]> {
  const state = await folder.state()
  const plan = await folder.plan()
  const tombstones = new Set((folder.options.tombstones ?? []).map(({ path, fact }) => `${path} ${fact}`))
  const missing = state.facts.flatMap((fact) => {
    if (fact.isCopy || isClosed(fact, state)) return []
    return pathsOf(fact, state, folder).flatMap((path) => {
      const isSaid = (folder.notes.get(path) ?? '').includes(harmless(fact.content))
      return isSaid || fact.path === path || tombstones.has(`${path} ${fact.id}`) ? [] : [`${path} lacks ${fact.content} of ${fact.path}`]
    })
  })
  const back = [...tombstones].filter((one) => {
    const [path = '', id = ''] = one.split(' ')
    return hasBullet(folder.notes.get(path), id)
  })
  return [
    ...missing,
    ...back.map((one) => `a deleted bullet is back: ${one}`),
    ...plan.changes.map(({ path, diff }) => `a second plan changes ${path}:\n${diff}`),
    ...plan.edited.map(({ path }) => `${path} is edited still`),
    ...plan.damaged.map(({ path, why }) => `${path} is damaged: ${why}`),
  ]
}

/** The pages on which a fact belongs; opinions without an entity are listed where opinions are computed. */
function pathsOf(fact: IndexedFact, state: FactState, { notes }: Folder): readonly string[] {
  const keys = new Set([...fact.entities, ...fact.mentions].map(({ key }) => state.entities.find(key)?.key))
  const own = pagedEntities(state).filter(
    ({ entity, path, isDue }) => keys.has(entity.key) && (isDue || readBlock(notes.get(path) ?? '').state !== 'none'),
  )
  if (own.length > 0) return own.map(({ path }) => path)
  if (fact.kind === 'opinion') return []
  return [fact.kind === 'world' ? 'bank/world.md' : 'bank/experience.md']
}
