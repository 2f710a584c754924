import type { ChunkAttributes } from '@mnemark/spec'
import type { DateOrder } from '../dates/forms/date-matcher.ts'
import type { HeadingLine } from '../document/markdown/outline.ts'
import { plainHeading } from '../document/markdown/plain-heading.ts'
import { type DatedSpan, dateOfText, timeOfText } from '../document/names/note-dates.ts'

/** Trail, date and time that apply under a heading, until the next of its level or above. */
export interface HeadingContext {
  /** Plain headings from the nearest H1 down; nothing twice in a row. */
  readonly trail: readonly string[]
  /** Days of the nearest dated heading, where headings date the document. */
  readonly date?: DatedSpan
  /** Clock time of the nearest heading that has one, on that day. */
  readonly time?: string
  readonly isRetained: boolean
}

interface Open extends HeadingContext {
  readonly level: number
}

const ROOT: Open = { level: 0, trail: [], isRetained: false }

interface Dating {
  /** True where headings date the document: no earlier rule gave it a day. */
  readonly isDated: boolean
  readonly order: DateOrder | undefined
}

/** One context for each heading, in order. */
export function headingContexts(headings: readonly HeadingLine[], dating: Dating): readonly HeadingContext[] {
  const stack: Open[] = [ROOT]
  return headings.map((heading) => {
    while (stack.length > 1 && (stack.at(-1)?.level ?? 0) >= heading.level) stack.pop()
    const context = contextUnder(stack.at(-1) ?? ROOT, heading, dating)
    stack.push(context)
    return context
  })
}

function contextUnder(parent: Open, heading: HeadingLine, { isDated, order }: Dating): Open {
  const name = plainHeading(heading.text)
  const ownDate = isDated ? dateOfText(heading.text, order) : undefined
  const date = ownDate ?? parent.date
  const time = ownDate === undefined ? (timeOfText(heading.text) ?? parent.time) : ownDate.time
  return {
    level: heading.level,
    trail: name === '' || name === parent.trail.at(-1) ? parent.trail : [...parent.trail, name],
    ...(date !== undefined && { date }),
    ...(time !== undefined && { time }),
    isRetained: parent.isRetained || name.toLowerCase() === 'retain',
  }
}

/** Days and time as attributes; a time alone is kept only where the document has one day. */
export function datesUnder(context: HeadingContext | undefined, document: ChunkAttributes): ChunkAttributes {
  if (context?.date !== undefined) {
    const { from, to } = context.date
    return context.time === undefined || from !== to ? { from, to } : { from, to, time: context.time }
  }
  const isOneDay = document.from !== undefined && document.from === (document.to ?? document.from)
  return context?.time !== undefined && isOneDay ? { time: context.time } : {}
}
