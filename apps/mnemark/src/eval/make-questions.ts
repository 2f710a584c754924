import type { StoreSnapshot, StoredChunk, StoredDocument } from '@mnemark/spec'
import { namesIn } from './names-in.ts'
import type { Place, Question } from './question.ts'
import { scriptOf } from './script-of.ts'

/** Questions of each kind and script; more add nothing. */
const MOST_OF_A_KIND = 50
/** Text that occurs in more places than this makes no question with one answer. */
const MOST_PLACES = 3
const LEAST_LETTERS = 4
/** How a day is written by people who write in a script. */
const LOCALES: Readonly<Record<string, string>> = { latin: 'en', arabic: 'ar', han: 'zh', kana: 'ja', hangul: 'ko' }

/**
 * Makes questions from the notes, without a model: from headings, names in them, and the days they are about. The same notes give
 * the same questions.
 */
export async function makeQuestions(snapshot: StoreSnapshot): Promise<readonly Question[]> {
  const headings = new Found('heading')
  const names = new Found('name')
  const days = new Found('date')
  for await (const document of snapshot.documents()) {
    const chunks = await snapshot.chunksOf(document)
    for (const chunk of chunks) {
      // The last part may be a table's column names, which nobody asks for.
      const heading = chunk.headingTrail.findLast((part) => !part.includes(' | '))
      if (heading !== undefined && isHeadingAsked(heading, document)) headings.add(heading, placeOf(chunk), chunk.text)
      for (const name of namesIn(chunk.text)) names.add(name, placeOf(chunk), chunk.text)
    }
    const text = chunks[0]?.text ?? ''
    for (const date of datesOf(document, scriptOf(text))) days.add(date, { path: document.path }, text)
  }
  return [...headings.questions(), ...names.questions(), ...days.questions()]
}

/** False for a heading of few letters, and for one with the day of its note: it asks for nothing in the text. */
function isHeadingAsked(heading: string, { from }: StoredDocument): boolean {
  return (heading.match(/\p{L}/gu)?.length ?? 0) >= LEAST_LETTERS && (from === undefined || !heading.includes(from))
}

/** The day a note is about, in words: `March 14, 2026`. None where it has no day, or one of a script whose dates are not read. */
function datesOf({ from, to }: Pick<StoredDocument, 'from' | 'to'>, script: string): readonly string[] {
  const locale = LOCALES[script]
  if (from === undefined || (to !== undefined && to !== from) || locale === undefined) return []
  return [
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' }).format(
      new Date(`${from}T00:00:00Z`),
    ),
  ]
}

function placeOf({ document, startLine, endLine }: StoredChunk): Place {
  return { path: document.path, lines: [startLine, endLine] }
}

/** The places of each text, as long as they are few. */
class Found {
  readonly #from: Question['from']
  readonly #places = new Map<string, { readonly places: Place[]; readonly script: string }>()

  constructor(from: Question['from']) {
    this.#from = from
  }

  add(text: string, place: Place, around: string): void {
    const known = this.#places.get(text)
    if (known === undefined) this.#places.set(text, { places: [place], script: scriptOf(around) })
    // One more than allowed: it shows that there are too many.
    else if (known.places.length <= MOST_PLACES) known.places.push(place)
  }

  questions(): readonly Question[] {
    const asked = [...this.#places].filter(([, { places }]) => places.length <= MOST_PLACES)
    const questions = asked.map(
      ([text, { places, script }]): Question => ({ text, from: this.#from, language: script, gold: places }),
    )
    return Object.values(Object.groupBy(questions, ({ language }) => language)).flatMap((group = []) => spread(group))
  }
}

/** As many questions as wanted, spread over all. */
function spread(questions: readonly Question[]): readonly Question[] {
  const step = Math.max(1, questions.length / MOST_OF_A_KIND)
  const count = Math.min(questions.length, MOST_OF_A_KIND)
  return Array.from({ length: count }, (_, index) => questions[Math.floor(index * step)]).filter(
    (question) => question !== undefined,
  )
}
