import { analyseRunOnce, exactTerms } from '../../text/analyse.ts'
import { foldWord } from '../../text/letters/fold.ts'
import { readText } from '../../text/letters/read-text.ts'
import { eachRun } from '../../text/runs.ts'

/** Most words of one value; a longer value is a text or a list of links. */
const MAX_WORDS = 32

/**
 * Terms such as `type:device` for `type: device`, one for each word of a value: the note is found by key and word
 * together only.
 */
export function propertyTerms(properties: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(properties).flatMap(([key, value]) => {
    const words = new Set<string>()
    eachRun(readText(value).text, (run) => {
      if (words.size < MAX_WORDS) for (const term of exactTerms(analyseRunOnce(run))) words.add(term)
    })
    return [...words].map((word) => `${foldWord(key)}:${word}`)
  })
}
