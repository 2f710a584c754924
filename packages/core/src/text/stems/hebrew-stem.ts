/** Prefixes of a word in their order: and; that, when, from what; in, to, from, as; the. */
const PREFIXES: readonly RegExp[] = [/^ו/, /^(?:לכש|כש|מש|ש)/, /^[במלכ]/, /^ה/]
/** Plurals, construct states and possessive endings, the longest first. Letters are folded: no final forms. */
const SUFFIXES = [
  'ותיהמ',
  'ותיכמ',
  'ותיה',
  'ותיו',
  'ותינו',
  'ותיי',
  'ינו',
  'יהמ',
  'יכמ',
  'יות',
  'ות',
  'ימ',
  'יו',
  'יה',
  'נו',
  'ה',
  'ת',
  'י',
  'ו',
]
const LEAST = 3

function withoutSuffix(word: string): string | undefined {
  const suffix = SUFFIXES.find((each) => word.endsWith(each) && word.length - each.length >= LEAST)
  return suffix === undefined ? undefined : word.slice(0, -suffix.length)
}

/**
 * All possible stems of a folded Hebrew word without one-letter prefixes and an ending, except the word itself. A
 * prefix looks like the first letter of a root, so both readings count: the letters cannot tell `לקוח` from `ל-קוח`.
 */
export function hebrewStems(word: string): readonly string[] {
  const forms = [word]
  let rest = word
  for (const prefix of PREFIXES) {
    const left = rest.replace(prefix, '')
    if (left === rest || left.length < LEAST) continue
    rest = left
    forms.push(rest)
  }
  const stems = new Set([...forms, ...forms.flatMap((form) => withoutSuffix(form) ?? [])])
  stems.delete(word)
  return [...stems]
}
