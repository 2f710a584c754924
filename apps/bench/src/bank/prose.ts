import { WORDS } from './made-entities.ts'
import type { MadeFact } from './made-fact.ts'
import type { YearWords } from './words/year-words.ts'
import { dayText } from './year-days.ts'

/** A day as people write it: `12 May 2025`. */
export function spokenDay(day: number, { months, dayText: form }: YearWords): string {
  const [, month = '', number = ''] = dayText(day).split('-')
  return form.replace('{month}', months[Number(month) - 1] ?? '').replace('{day}', String(Number(number)))
}

/** `Mara lives in Oslo`, `Room-101: the door got green paint`. */
function saidOf({ named, content, topic }: MadeFact, { afterName, afterTopic }: YearWords): string {
  return `${named}${topic.type === 'event' ? afterTopic : afterName}${content}`
}

/** A fact as a sentence of an ordinary log, with its days where its line names them. */
export function proseOf(fact: MadeFact): string {
  const words = WORDS[fact.entity.language]
  const { from, to, isDated, relation } = fact
  const said = `${saidOf(fact, words)}${words.fullStop}`
  const form = to === undefined ? words.since : from === to ? words.on : words.range
  const dated = isDated
    ? form
        .replace('{from}', spokenDay(from, words))
        .replace('{to}', spokenDay(to ?? from, words))
        .replace('{said}', said)
    : said
  if (relation === undefined) return dated
  return (relation.verb === 'corrects' ? words.corrected : words.changed).replace('{said}', dated)
}
