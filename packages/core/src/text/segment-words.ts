import type { ScriptClass } from './scripts.ts'

/** Intl.Segmenter is quadratic on long strings in some Node versions, so it gets pieces of at most this many code units. */
const PIECE = 256

const segmenters = new Map<string, Intl.Segmenter>()

function segmenterFor(script: ScriptClass): Intl.Segmenter {
  const locale = script === 'han' ? 'zh' : 'th'
  let segmenter = segmenters.get(locale)
  if (!segmenter) {
    segmenter = new Intl.Segmenter(locale, { granularity: 'word' })
    segmenters.set(locale, segmenter)
  }
  return segmenter
}

function isLowSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xdc00 && codeUnit <= 0xdfff
}

/** Words of a run in a script without spaces, by ICU's dictionary, with their offsets in the run. */
export function segmentWords(run: string, script: ScriptClass): readonly { readonly text: string; readonly start: number }[] {
  const words: { text: string; start: number }[] = []
  for (let from = 0; from < run.length; ) {
    let to = Math.min(run.length, from + PIECE)
    if (to < run.length && isLowSurrogate(run.charCodeAt(to))) to -= 1
    for (const { segment, index, isWordLike } of segmenterFor(script).segment(run.slice(from, to))) {
      if (isWordLike) words.push({ text: segment, start: from + index })
    }
    from = to
  }
  return words
}

/** Version of the dictionaries behind `segmentWords`; part of the recipe, since another one cuts words elsewhere. */
export function dictionaryVersion(): string {
  // Safe: every member is optional; browsers have no `process` and do not report their ICU.
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly icu?: string } } }
  return process?.versions?.icu ?? 'unknown'
}
