/** Letters that other scripts write alike, in one class; `''` is written in some and not in others. Keys are folded letters. */
const CONSONANTS: Readonly<Record<string, string>> = {
  b: 'bpبپבפбпβπ',
  t: 'tتطثטתтτθ',
  d: 'dدضذדдδ',
  j: 'gjجغگژגгжγ',
  k: 'kqcكقخکקכחкхκχ',
  s: 'szسزصظסצזсзцςσζ',
  x: 'شשшщ',
  f: 'fvفڤвфφ',
  l: 'lلלлλ',
  m: 'mمמмμ',
  n: 'nنנнν',
  r: 'rرרрρ',
}
const VOWELS: Readonly<Record<string, string>> = {
  a: 'aاعאעаяα',
  i: 'eiyيיеиыэйεηιυ',
  u: 'ouwوוоуюοω',
  '': "hهحئؤءהъь'’-.",
}
/** Several letters for one sound, in Latin letters and in Arabic ones. */
const DIGRAPHS: readonly (readonly [RegExp, string])[] = [
  [/sch|sh/g, 'ш'],
  [/تش|چ|tch|ch|ч/g, 'tш'],
  [/ph/g, 'f'],
  [/kh/g, 'k'],
  [/gh|zh|dj/g, 'g'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/t[sz]/g, 's'],
  [/x/g, 'ks'],
  [/ξ/g, 'ks'],
  [/ψ/g, 'ps'],
  [/ё/g, 'e'],
  // The bearer of a vowel at the beginning.
  [/^ا(?=[يو])/g, ''],
]
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Arabic}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Hebrew}/u]
/** Fewer consonants say little: then the vowels count too. */
const LEAST_CONSONANTS = 3

const CLASS_OF = new Map(
  [...Object.entries(CONSONANTS), ...Object.entries(VOWELS)].flatMap(([sound, letters]) =>
    Array.from(letters, (letter) => [letter, sound] as const),
  ),
)

/** How a name sounds, and the script that it is written in. */
export interface SoundKey {
  readonly script: number
  /** Equal for names that two scripts write for each other: `peter`, `بيتر` and `петр`. */
  readonly sound: string
}

/** The sound of a folded name in Latin, Arabic, Cyrillic, Greek or Hebrew letters; undefined for all others, and for mixed ones. */
export function soundKey(key: string): SoundKey | undefined {
  const script = SCRIPTS.findIndex((each) => each.test(key))
  const words = key.split(/[\s_]+/u).filter((word) => /\p{L}/u.test(word))
  if (script === -1 || words.length === 0) return undefined
  const sounds = words.map((word) => soundsOf(word))
  if (sounds.some((word) => word === undefined || word === '')) return undefined
  const consonants = sounds.map((word = '') => word.replaceAll(/[aiu]/g, ''))
  const isTelling = consonants.join('').length >= LEAST_CONSONANTS
  return { script, sound: isTelling ? consonants.join(' ') : `${sounds.join(' ')} with vowels` }
}

function soundsOf(word: string): string | undefined {
  const letters = DIGRAPHS.reduce((left, [sign, sound]) => left.replace(sign, sound), word)
  let sounds = ''
  for (const letter of letters) {
    const sound = CLASS_OF.get(letter) ?? (/\p{L}/u.test(letter) ? undefined : '')
    if (sound === undefined) return undefined
    // A doubled letter is one sound, and so are vowels beside each other.
    if (!sounds.endsWith(sound)) sounds += sound
  }
  return sounds
}
