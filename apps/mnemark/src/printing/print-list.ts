import type { ListedNote, ListReply } from '@mnemark/spec'
import type { Console } from '../terminal/console.ts'
import { isolate, printable, printableName } from '../terminal/isolate.ts'
import { createPaint, type Paint } from '../terminal/paint.ts'

const DAY_WIDTH = 10
const MOST_SHOWN_TAGS = 5

/** Prints notes for people, one a line: day, path, title, tags. The total goes to stderr. */
export function printNotes(console: Console, reply: ListReply): void {
  const paint = createPaint(console.hasColour)
  for (const note of reply.notes) console.print(lineOf(note, paint))
  printRemarks(console, reply)
  if (reply.notes.length === 0) return
  const newest = reply.newest === undefined ? '' : `, the newest of ${reply.newest}`
  const more = reply.next === undefined ? '' : '; -k N shows more'
  console.note(`mnemark: ${reply.notes.length} of ${counted(reply.total, 'note')}${newest}${more}`)
}

function lineOf({ day = '', path, title, tags, marks }: ListedNote, paint: Paint): string {
  const shown = tags.slice(0, MOST_SHOWN_TAGS).map((tag) => isolate(printable(`#${tag}`)))
  const rest = tags.length > shown.length ? [`+${tags.length - shown.length}`] : []
  const parts = [
    ...(title === undefined ? [] : [isolate(printable(title))]),
    ...(shown.length === 0 ? [] : [paint.dim([...shown, ...rest].join(' '))]),
    ...(marks.length === 0 ? [] : [paint.dim(`(${marks.join(', ')})`)]),
  ]
  return [day.padEnd(DAY_WIDTH), paint.bold(isolate(printableName(path))), ...parts].join('  ')
}

/** Prints tags for people, one a line: number of notes, last day, tag. */
export function printTags(console: Console, reply: Omit<ListReply, 'notes'>): void {
  const tags = reply.tags ?? []
  const width = Math.max(0, ...tags.map(({ notes }) => String(notes).length))
  for (const { tag, notes, newest = '' } of tags)
    console.print(`${String(notes).padStart(width)}  ${newest.padEnd(DAY_WIDTH)}  ${isolate(printable(`#${tag}`))}`)
  printRemarks(console, reply)
  if (tags.length === 0) console.note(`mnemark: no tags in ${counted(reply.total, 'note')}`)
  else console.note(`mnemark: ${counted(tags.length, 'tag')} in ${counted(reply.total, 'note')}`)
}

function printRemarks(console: Console, { degraded, total }: Pick<ListReply, 'degraded' | 'total'>): void {
  for (const { message } of degraded) console.note(`mnemark: ${printable(message)}`)
  if (total === 0 && degraded.length === 0) console.note('mnemark: nothing found')
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
