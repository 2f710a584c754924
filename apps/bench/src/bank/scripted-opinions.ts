/** Opinions with scripted evidence: notes, and the confidence that each opinion must have, worked out from the script and not from the notes. */

export interface ScriptedLine {
  /** YYYY-MM-DD, one of its own for each line. */
  readonly day: string
  readonly form: 'again' | 'negation' | 'confirms' | 'contradicts'
  readonly isByAgent: boolean
  /** How often the same line stands in copies of its note. */
  readonly copies: number
}

export interface ScriptedOpinion {
  readonly entity: string
  readonly statement: string
  readonly anchor: number
  readonly stated: string
  readonly lines: readonly ScriptedLine[]
}

const FORMS = ['again', 'negation', 'confirms', 'contradicts'] as const
const THINGS = ['tea', 'mail', 'trains', 'silence', 'short notes', 'the sea', 'early starts', 'paper']
const MOST_LINES = 12
const DAY_MS = 86_400_000

/** `count` opinions of one year by a seed; every run gives the same. */
export function scriptedOpinions(seed: number, count: number, year = 2026): readonly ScriptedOpinion[] {
  const chance = chances(seed)
  const dayAt = (offset: number): string => new Date(Date.UTC(year, 0, 1) + offset * DAY_MS).toISOString().slice(0, 10)
  return Array.from({ length: count }, (_, at) => {
    const lines = Array.from(
      { length: chance(MOST_LINES + 1) },
      (_none, place): ScriptedLine => ({
        day: dayAt(7 + place * 25 + chance(20)),
        form: FORMS[chance(FORMS.length)] ?? 'again',
        isByAgent: chance(4) === 0,
        copies: chance(3),
      }),
    )
    const statement = `likes ${THINGS[chance(THINGS.length)] ?? 'tea'}`
    return { entity: `Person-${letters(at)}`, statement, anchor: (5 + chance(91)) / 100, stated: dayAt(chance(6)), lines }
  })
}

/** The notes that say so, by path; in the order of the script. */
export function scriptedNotes(opinions: readonly ScriptedOpinion[]): Readonly<Record<string, string>> {
  const notes: Record<string, string[]> = {}
  const say = (path: string, line: string): void => {
    notes[path] = [...(notes[path] ?? []), `- ${line}`]
  }
  for (const { entity, statement, anchor, stated, lines } of opinions) {
    say(`memory/${stated}.md`, `O(c=${anchor.toFixed(2)}) @${entity}: ${statement}`)
    for (const line of lines) {
      const text = `W @${entity}: ${saidBy(line, statement)}${line.isByAgent ? ' (by: agent)' : ''}`
      say(`memory/${line.day}.md`, text)
      for (let copy = 0; copy < line.copies; copy += 1) say(`memory/archive/${copy}/${line.day}.md`, text)
    }
  }
  return Object.fromEntries(
    Object.entries(notes).map(([path, lines]) => [path, `# Day\nRain and wind.\n\n## Retain\n${lines.join('\n')}\n`]),
  )
}

/** The confidence that the opinion must have at the end of a day: rule L, written down a second time. */
export function expectedConfidence(opinion: ScriptedOpinion, until: string): number {
  const weightOf = ({ form, isByAgent }: ScriptedLine): number =>
    (form === 'confirms' || form === 'contradicts' ? 1.5 : 1) * (isByAgent ? 0.5 : 1)
  const isFor = ({ form }: ScriptedLine): boolean => form === 'again' || form === 'confirms'
  const known = opinion.lines.filter(({ day }) => day <= until)
  const supports = known
    .filter(isFor)
    .map(weightOf)
    .sort((left, right) => right - left)
  let odds = Math.log(opinion.anchor) - Math.log1p(-opinion.anchor)
  for (let k = 1; k <= supports.length; k += 1) odds += (Math.log(3 / 2) * (supports[k - 1] ?? 0)) / k ** 0.5
  for (const line of known) if (!isFor(line)) odds -= Math.min(0.85, Math.LN2 * weightOf(line))
  const confidence = Math.exp(odds) / (1 + Math.exp(odds))
  const isByPerson = (side: boolean): boolean => known.some((line) => isFor(line) === side && !line.isByAgent)
  const most = isByPerson(true) ? 0.95 : Math.max(0.85, opinion.anchor)
  const least = isByPerson(false) ? 0.05 : Math.min(0.15, opinion.anchor)
  return known.length === 0 ? opinion.anchor : Math.min(most, Math.max(least, confidence))
}

function saidBy({ form, day }: ScriptedLine, statement: string): string {
  if (form === 'again') return statement
  if (form === 'negation') return statement.replace('likes', 'does not like')
  return `was seen at it on ${day} (${form}: "${statement}")`
}

/** Names without digits. */
function letters(at: number): string {
  return `${String.fromCharCode(97 + Math.floor(at / 26))}${String.fromCharCode(97 + (at % 26))}`
}

function chances(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
