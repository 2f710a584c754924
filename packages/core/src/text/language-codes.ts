/** ISO 639-1 codes of the detected languages, by the detector's ISO 639-3 codes. */
const CODES: Readonly<Record<string, string>> = {
  afr: 'af',
  als: 'sq',
  arb: 'ar',
  azj: 'az',
  bel: 'be',
  ben: 'bn',
  bos: 'bs',
  bul: 'bg',
  cat: 'ca',
  ces: 'cs',
  cmn: 'zh',
  dan: 'da',
  deu: 'de',
  ekk: 'et',
  ell: 'el',
  eng: 'en',
  fin: 'fi',
  fra: 'fr',
  glg: 'gl',
  guj: 'gu',
  heb: 'he',
  hin: 'hi',
  hrv: 'hr',
  hun: 'hu',
  hye: 'hy',
  ind: 'id',
  isl: 'is',
  ita: 'it',
  jpn: 'ja',
  kan: 'kn',
  kat: 'ka',
  kaz: 'kk',
  khm: 'km',
  kor: 'ko',
  lit: 'lt',
  lvs: 'lv',
  mal: 'ml',
  mar: 'mr',
  mkd: 'mk',
  mya: 'my',
  nld: 'nl',
  nob: 'no',
  npi: 'ne',
  pan: 'pa',
  pes: 'fa',
  pol: 'pl',
  por: 'pt',
  ron: 'ro',
  rus: 'ru',
  sin: 'si',
  slk: 'sk',
  slv: 'sl',
  spa: 'es',
  srp: 'sr',
  swe: 'sv',
  swh: 'sw',
  tam: 'ta',
  tel: 'te',
  tgl: 'tl',
  tha: 'th',
  tur: 'tr',
  ukr: 'uk',
  urd: 'ur',
  uzn: 'uz',
  vie: 'vi',
  yor: 'yo',
  zlm: 'ms',
}
const KNOWN: ReadonlySet<string> = new Set(Object.values(CODES))
/** Folder names for languages beside the codes: countries, older codes, variants that no detector distinguishes. */
const ALIASES: Readonly<Record<string, string>> = {
  br: 'pt',
  cn: 'zh',
  cz: 'cs',
  dk: 'da',
  gr: 'el',
  in: 'id',
  iw: 'he',
  jp: 'ja',
  kr: 'ko',
  nb: 'no',
  nn: 'no',
  se: 'sv',
  tw: 'zh',
  ua: 'uk',
  ...CODES,
}

/** ISO 639-3 codes that the detector is limited to. */
export const DETECTED: readonly string[] = Object.keys(CODES)

export function codeOf(detected: string): string | undefined {
  return CODES[detected]
}

/** The language of a tag such as `de`, `zh-CN`, `pt_BR`, `jp`; undefined for anything else. */
export function languageOfTag(tag: string): string | undefined {
  const match = /^([a-z]{2,3})(?:[-_](?:[a-z]{2}|hans|hant|latn|cyrl|\d{3}))?$/i.exec(tag)
  const base = match?.[1]?.toLowerCase()
  if (base === undefined) return undefined
  return KNOWN.has(base) ? base : ALIASES[base]
}
