import { analyseRunOnce } from '../../text/analyse.ts'
import { readText } from '../../text/letters/read-text.ts'
import { eachRun } from '../../text/runs.ts'
import type { ScriptClass } from '../../text/scripts.ts'
import type { Word } from '../../text/words.ts'

function hasNoGaps(script: ScriptClass | undefined): boolean {
  return script === 'han' || script === 'unspaced'
}

/** The word in the form shared by all its spellings. */
function spoken({ term, shared, parts }: Word): string {
  return parts.length > 1 ? parts.join(' ') : shared || term
}

/**
 * Folded words of a text, one space around each; words of scripts without spaces stay joined as in the text, because
 * the dictionary may cut them elsewhere in a phrase. A phrase occurs in a text when its key does.
 */
export function phraseKey(text: string): string {
  let key = ''
  let end = -1
  let script: ScriptClass | undefined
  eachRun(readText(text).text, (raw, offset) => {
    const { words, whole } = analyseRunOnce(raw)
    for (const word of words) {
      const isJoined = offset + word.start === end && hasNoGaps(script) && hasNoGaps(word.script)
      const gap = key === '' ? (hasNoGaps(word.script) ? '' : ' ') : isJoined ? '' : ' '
      // The signs of `C++` are part of the word.
      key += gap + (words.length === 1 && whole !== undefined ? whole : spoken(word))
      end = offset + word.end
      script = word.script
    }
  })
  return key === '' || hasNoGaps(script) ? key : `${key} `
}

export function holdsPhrase(textKey: string, phrase: string): boolean {
  return ` ${textKey} `.includes(phrase)
}
