import chardet from 'chardet'

/** The detector's name for an encoding, mapped to the label by which `TextDecoder` knows it or its superset. */
const LABELS: Readonly<Record<string, string>> = {
  'ISO-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  'ISO-8859-2': 'iso-8859-2',
  'windows-1250': 'windows-1250',
  'ISO-8859-9': 'windows-1254',
  'windows-1254': 'windows-1254',
  'windows-1257': 'windows-1257',
  'windows-1251': 'windows-1251',
  'KOI8-R': 'koi8-r',
  'ISO-8859-5': 'iso-8859-5',
  'ISO-8859-7': 'windows-1253',
  'windows-1253': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'ISO-8859-6': 'iso-8859-6',
  'windows-874': 'windows-874',
  Shift_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  GB18030: 'gb18030',
  Big5: 'big5',
  'EUC-KR': 'euc-kr',
}
/** The ratio by which the detector must prefer one of two possible readings. */
const CLEAR_LEAD = 1.25
/** Standards that hardly any program wrote: their rival is meant instead. */
const SELDOM: ReadonlySet<string> = new Set(['iso-8859-5', 'iso-8859-6'])
const SELDOM_FACTOR = 0.75
/** The largest share of rare letters, and the smallest share of common ones. */
const RARE_SHARE = 0.2

/** The encoding of bytes that are not UTF-8; null if it is in doubt. */
export function detectEncoding(sample: Uint8Array): string | null {
  const confidence = new Map<string, number>()
  for (const { name, confidence: value } of chardet.analyse(sample)) {
    const label = LABELS[name]
    if (label !== undefined) confidence.set(label, Math.max(value, confidence.get(label) ?? 0))
  }
  const readings = new Map<string, Reading>()
  for (const label of new Set(Object.values(LABELS))) {
    const text = strictlyDecoded(sample, label)
    if (text === null || !isPlausible(text, label, sample)) continue
    const known = readings.get(text)
    const own = (confidence.get(label) ?? 0) * (SELDOM.has(label) ? SELDOM_FACTOR : 1)
    // Nothing in the sample distinguishes encodings that read it alike: the first of the list is the most common.
    readings.set(text, { label: known?.label ?? label, confidence: Math.max(own, known?.confidence ?? 0) })
  }
  const [best, next] = [...withoutEastOfThai([...readings.values()])].sort((left, right) => right.confidence - left.confidence)
  if (best === undefined) return null
  return next === undefined || best.confidence > CLEAR_LEAD * next.confidence ? best.label : null
}

interface Reading {
  readonly label: string
  readonly confidence: number
}

/** Thai reads as rare Chinese or Korean, while those hardly ever make Thai syllables: then the detector must be certain of it. */
function withoutEastOfThai(readings: readonly Reading[]): readonly Reading[] {
  if (!readings.some(({ label }) => label === 'windows-874')) return readings
  const isDoubtful = ({ label, confidence }: Reading): boolean => ['gb18030', 'big5', 'euc-kr'].includes(label) && confidence < 90
  return readings.filter((reading) => !isDoubtful(reading))
}

/** Null if the bytes cannot be in this encoding. The end of a sample may cut a character. */
function strictlyDecoded(sample: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(sample, { stream: sample.length >= 65_536 })
  } catch {
    return null
  }
}

const WRONG = /[\u2500-\u259f\ufffd]|\p{Co}|\p{Cn}|(?!\s)\p{Cc}/u
const WORDS = /[\p{L}\p{M}]+/gu

/** True if a person may have written this: only characters that people type, and words as their script forms them. */
function isPlausible(text: string, label: string, sample: Uint8Array): boolean {
  if (WRONG.test(text)) return false
  const words = (text.match(WORDS) ?? []).filter((word) => /[^a-z]/iu.test(word))
  return WRITING[label]?.(words, text, sample) ?? false
}

type Check = (words: readonly string[], text: string, sample: Uint8Array) => boolean

/** The letters that each language adds to the plain ones. A text is in one language, or quotes one. */
const WESTERN = alphabets(
  'äöüß',
  'éèêëàâîïôùûüçœæÿ',
  'áéíóúüñç',
  'áàâãéêíóôõúüç',
  'àèéìíîòóùú',
  'åäöéæøü',
  'áéíóúýðþæö',
  'ëïéèöüáóíê',
)
const CENTRAL = alphabets('ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíľňóôŕšťúýž', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž', 'äöüß')
const BALTIC = alphabets('ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž')
const TURKISH = alphabets('çğıİöşüâîû')
/** Letters in places where the language never has them: signs of another encoding. */
const NEVER_WESTERN = /[ìòù]\p{L}{2}|þ[^aeiouyáéíóúýæörvj]|^[ðý]/iu
const NEVER_CENTRAL = /[ŕĺ]|ń[aeiouy]|ăo/iu
const NEVER_BALTIC = /å$/iu

function alphabets(...letters: readonly string[]): readonly ReadonlySet<string>[] {
  return letters.map((each) => new Set(each + each.toUpperCase()))
}

const WRITING: Readonly<Record<string, Check>> = {
  'windows-1252': latin(WESTERN, NEVER_WESTERN),
  'windows-1250': latin(CENTRAL, NEVER_CENTRAL),
  'iso-8859-2': latin(CENTRAL, NEVER_CENTRAL),
  'windows-1254': latin(TURKISH, NEVER_WESTERN),
  'windows-1257': latin(BALTIC, NEVER_BALTIC),
  'windows-1251': isCyrillic,
  'koi8-r': isCyrillic,
  'iso-8859-5': isCyrillic,
  'windows-1253': (words, text) =>
    isWritten(words, /^(?:\p{Script=Greek}+|[a-z]+)$/iu, text) && hasPlainCase(words) && !/ς\p{L}/u.test(text),
  'windows-1255': (words, text) => isWritten(words, /^(?:[\u05d0-\u05ea\u05f0-\u05f4]\p{M}*)+$/u, text),
  'windows-1256': (words, text) => isWritten(words, ARABIC, text),
  'iso-8859-6': (words, text) => isWritten(words, ARABIC, text),
  'windows-874': (words, text) => isWritten(words, THAI, text) && !THAI_AMISS.test(text),
  shift_jis: isJapanese,
  'euc-jp': isJapanese,
  // Both tables begin with the common characters.
  gb18030: (words, _, sample) => isOf(words, HAN) && shareOfLeads(sample, 0xb0, 0xd7) > COMMON_SHARE,
  big5: (words, _, sample) => isOf(words, HAN) && shareOfLeads(sample, 0xa4, 0xc6) > COMMON_SHARE,
  'euc-kr': (words) => isOf(words, /^[\p{Script=Hangul}\p{Script=Han}a-z]+$/iu) && share(words, /\p{Script=Hangul}/gu) > 0.6,
}

const ARABIC = /^(?:\p{Script=Arabic}|\p{M}|\u0640)+$/u
/** Letters with the marks above and below them. */
const THAI = /^(?:[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]*)+$/u
/** Vowels that need a consonant after or before them and lack it. */
const THAI_AMISS = /[\u0e40-\u0e44](?![\u0e01-\u0e2e])|(?<![\u0e01-\u0e2e\u0e47-\u0e4d])[\u0e30\u0e32\u0e33]/u
const HAN = /^(?:\p{Script=Han}|[a-z])+$/iu
const COMMON_SHARE = 0.8
/** With fewer letters, a script other than Latin is a coincidence. */
const LEAST_LETTERS = 4
/** Signs that stand at the edge of a word, if anywhere: between letters one of them is a letter read wrongly. */
const SIGN_INSIDE = /\p{L}[÷×¤¦§¨©«¬®¯°±²³´µ¶¸¹»¼½¾¿¡¢£¥†‡ˆ‰‹›„˜™€№Ў]\p{L}|[ªº]\p{L}|[¿¡]\s/u

/** The share of two-byte characters, signs excepted, whose first byte is in this range. */
function shareOfLeads(sample: Uint8Array, from: number, to: number): number {
  let inside = 0
  let letters = 0
  for (let at = 0; at + 1 < sample.length; at += 1) {
    const lead = sample[at] ?? 0
    if (lead < 0x80) continue
    at += 1
    if (lead < 0xa4) continue
    letters += 1
    if (lead >= from && lead <= to) inside += 1
  }
  return letters === 0 ? 0 : inside / letters
}

/** Plain letters mixed with those of one language; or, as in "it’s", only typographic signs. */
function latin(languages: readonly ReadonlySet<string>[], never: RegExp): Check {
  return (words, text) => {
    if (SIGN_INSIDE.test(text) || (text.includes('¿') && !text.includes('?'))) return false
    if (words.some((word) => never.test(word) || /\p{Ll}\p{Lu}/u.test(word))) return false
    if (words.some((word) => word.length > 3 && !/[a-z]/iu.test(word))) return false
    const letters = [...new Set(words.join(''))].filter((letter) => !/[a-zªºµ]/iu.test(letter))
    const isMostlyPlain = letters.length === 0 || share(words, /[a-z]/giu) > 0.4
    return isMostlyPlain && languages.some((language) => letters.every((letter) => language.has(letter)))
  }
}

/** Russian, Ukrainian, Bulgarian and their neighbours. */
function isCyrillic(words: readonly string[], text: string): boolean {
  if (!isWritten(words, /^(?:\p{Script=Cyrillic}+|[a-z]+)$/iu, text) || !hasPlainCase(words)) return false
  return share(words, /[ђѓѕјљњќћџґ]/giu) < RARE_SHARE && share(words, /[оеаинтіоу]/giu) > RARE_SHARE
}

function isJapanese(words: readonly string[]): boolean {
  const kana = /[\p{Script=Hiragana}\p{Script=Katakana}ー]/gu
  return isOf(words, /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー々a-z]+$/iu) && share(words, kana) > 0.1
}

function isWritten(words: readonly string[], script: RegExp, text: string): boolean {
  return isOf(words, script) && !SIGN_INSIDE.test(text) && words.join('').length >= LEAST_LETTERS
}

function isOf(words: readonly string[], script: RegExp): boolean {
  return words.length > 0 && words.every((word) => script.test(word))
}

/** Lower case after the first letter, or capitals throughout. */
function hasPlainCase(words: readonly string[]): boolean {
  return words.every((word) => word === word.toUpperCase() || word.slice(1) === word.slice(1).toLowerCase())
}

function share(words: readonly string[], letters: RegExp): number {
  const text = words.join('')
  return (text.match(letters)?.length ?? 0) / text.length
}
