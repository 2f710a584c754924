// A name can hold invisible characters that a terminal, a page or a model obeys: line breaks, escape sequences, marks
// that turn the direction of writing, tag characters that spell words, spaces of no width. New names may not; in
// existing ones these characters are shown escaped.

/** Scripts in which a joiner changes how letters are written. */
const JOINED = [
  'Arab',
  'Syrc',
  'Mong',
  'Nkoo',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Khmr',
  'Mymr',
  'Tibt',
]
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')

/** Places where an invisible character belongs to the one before it. */
const MEANT = [
  String.raw`(?<=[${JOINED}])[\u200C\u200D](?=[${JOINED}])`,
  String.raw`(?<=\p{ExtPict}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D(?=\p{ExtPict})`,
  String.raw`(?<=\p{ExtPict})[\uFE0E\uFE0F]`,
  String.raw`(?<=[0-9#*])\uFE0F(?=\u20E3)`,
  String.raw`(?<=\p{sc=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  String.raw`(?<=\p{sc=Mong})[\u180B-\u180D\u180F]`,
].join('|')
const INVISIBLE = String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{DI}\uFFF9-\uFFFB\u{13430}-\u{1345F}]`
const INVISIBLE_OR_MEANT = new RegExp(`(?<meant>${MEANT})|${INVISIBLE}`, 'gu')
const SPELT = /\\u\{(?<code>[\dA-F]{1,6})\}/gu

/** The path with every invisible character escaped, such as `\u{202E}`; reads accept this form too. */
export function visibleName(path: string): string {
  return path.replace(INVISIBLE_OR_MEANT, (character, meant) => (meant === undefined ? spelt(character) : character))
}

/** The path that `visibleName` shows in this form. */
export function spelledName(shown: string): string {
  return shown.replace(SPELT, (spelling, code: string) => {
    const point = Number.parseInt(code, 16)
    const character = point <= 0x10_ff_ff ? String.fromCodePoint(point) : spelling
    return spelt(character) === spelling ? character : spelling
  })
}

/** Why no note may be made under this name: the first invisible character, or an escaped one; else null. */
export function unseenIn(path: string): string | null {
  const shown = visibleName(path)
  return new RegExp(SPELT.source, 'u').exec(shown)?.[0] ?? null
}

function spelt(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`
}
