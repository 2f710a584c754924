import type { DateOrder, DoubtfulDate, NoteDays } from '@mnemark/core/doctor'
import type { DocumentStat } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import { isolate, printableName } from '../terminal/isolate.ts'
import type { Check } from './check.ts'
import { DateOrders, dayOfPath, findDoubtfulDates, noteDays } from '@mnemark/core/doctor'

/** The longest name most file systems allow. */
const MAX_NAME_BYTES = 255
const SHOWN = 5

/**
 * Names and dates that cause trouble: names that cannot be copied or that collide elsewhere, notes without a day or probably with
 * the wrong year.
 */
export async function checkNotes(notes: Workspace, dateOrder?: DateOrder): Promise<readonly Check[]> {
  const documents: DocumentStat[] = []
  try {
    for await (const item of notes.source.list()) if (!('skipped' in item)) documents.push(item)
  } catch (error) {
    const message = `not all could be listed: ${error instanceof Error ? error.message : String(error)}`
    return [
      { name: 'notes', status: 'warning', message, next: 'Check the folders; until then nothing of them leaves the index.' },
    ]
  }
  const paths = documents.map(({ path }) => path)
  const checks = [checkCase(paths), checkLength(paths), ...(await checkDates(notes, documents, dateOrder))].filter(
    (check) => check !== null,
  )
  if (checks.length > 0) return checks
  return [{ name: 'notes', status: 'ok', message: `${documents.length}, names and dates without a doubt` }]
}

function checkCase(paths: readonly string[]): Check | null {
  const byKey = new Map<string, string[]>()
  for (const path of paths) {
    const key = path.normalize('NFC').toLowerCase()
    byKey.set(key, [...(byKey.get(key) ?? []), path])
  }
  const equal = [...byKey.values()].filter((names) => names.length > 1)
  if (equal.length === 0) return null
  return {
    name: 'notes',
    status: 'warning',
    message: `names that differ only in case or in how accents are stored: ${list(equal.map((names) => names.map(show).join(' and ')))}`,
    next: 'Rename one of each: on macOS and Windows they are one file, and a copy loses the other.',
  }
}

/** A copy to a Mac or back may store accents and syllables separately, which makes a name longer. */
function checkLength(paths: readonly string[]): Check | null {
  const long = paths.filter((path) => {
    const parts = path.split('/')
    return parts.some((name) => Math.max(Buffer.byteLength(name), Buffer.byteLength(name.normalize('NFD'))) > MAX_NAME_BYTES)
  })
  if (long.length === 0) return null
  return {
    name: 'notes',
    status: 'warning',
    message: `names over ${MAX_NAME_BYTES} bytes when copied to another system: ${list(long.map(show))}`,
    next: 'Shorten them before the folder is copied or synced.',
  }
}

async function checkDates(
  notes: Workspace,
  documents: readonly DocumentStat[],
  dateOrder: DateOrder | undefined,
): Promise<readonly Check[]> {
  const orders = new DateOrders()
  if (dateOrder === undefined) for (const document of documents) orders.meet(document)
  const days: NoteDays[] = []
  for (const document of documents) {
    const order = dateOrder ?? orders.of(document)
    try {
      days.push(noteDays(document, await notes.source.read(document), order))
    } catch {
      // `status` reports an unreadable note; its name still counts among its neighbours.
      days.push({ path: document.path, name: dayOfPath(document.path, order), heading: null })
    }
  }
  const open = checkOpenDays(days)
  return [...findDoubtfulDates(days).map(doubtfulDate), ...(open === null ? [] : [open])]
}

/** Notes without a day, because their date has two readings. */
function checkOpenDays(notes: readonly NoteDays[]): Check | null {
  const open = notes.flatMap(({ path, open: days }) => (days === undefined ? [] : [`${show(path)} (${days.dmy} or ${days.mdy})`]))
  if (open.length === 0) return null
  return {
    name: 'notes',
    status: 'warning',
    message: `without a day, because the date may be either of two: ${list(open)}`,
    next: 'Set agents.defaults.dateOrder to "dmy" (day first) or "mdy" (month first), or write the date as YYYY-MM-DD.',
  }
}

function doubtfulDate({ path, day, likelyDay, because }: DoubtfulDate): Check {
  const right = path.replace(/[^/]*$/, (name) => name.replace(day, likelyDay))
  const rename = right === path ? `Rename it to the day ${likelyDay}` : `Rename it to ${show(right)}`
  return because === 'heading'
    ? {
        name: 'notes',
        status: 'warning',
        message: `${show(path)}: the first heading says ${likelyDay}; the name stands until one of them is corrected`,
        next: `${rename}, or correct the heading.`,
      }
    : {
        name: 'notes',
        status: 'warning',
        message: `${show(path)}: probably the wrong year, its neighbours are around ${likelyDay}`,
        next: `${rename} if that is its day.`,
      }
}

function show(path: string): string {
  return isolate(printableName(path))
}

function list(items: readonly string[]): string {
  const more = items.length > SHOWN ? `, and ${items.length - SHOWN} more` : ''
  return items.slice(0, SHOWN).join(', ') + more
}
