import { slashed } from './marks.ts'

/** Longer names are not file names. */
const MAX_NAME = 300
/** Most levels of copies of copies, as in `Plan (1) (1).md`. */
const MAX_DEPTH = 3

/** "Conflict" in the languages of sync programs. */
const CONFLICT =
  /confli[ct]|konfl[ie]kt|konflik|kolize|kolízi|ütköz|çak[ıi]ş|ristirii|motstrid|bercanggah|bertentangan|xung đột|σύγκρουσ|διένεξ|конфл[иі]кт|競合|衝突|冲突|충돌|تعارض|متعارض|מתנגש|התנגשות|קונפליקט|विरोध|ขัดแย้ง/iu
/** "Copy" or "version" in the same languages. The first ones stand apart from the name, the others may be joined to it. */
const WORDS_APART =
  'cop(?:y|ies|ie|ia)|c[òó]pia|kopi[aeo]?|kópia|kopya|másolat|salinan|bản sao|αντίγραφο?|копи[яию]|копі[яію]|نسخة|עותק|העתק|प्रति|प्रतिलिपि'
const WORDS_JOINED = 'コピー|複製|副本|複本|拷[贝貝]|복사본|사본|สำเนา'
const COPY_WORDS = `${WORDS_APART}|${WORDS_JOINED}`
const COPY = new RegExp(COPY_WORDS, 'iu')
const VERSION = /versi[oó]n|versão|version[e]?|wersja|versie|verz[ei]|верс|版本/iu
const DAY = /\d{4}[-./年]?\d{1,2}[-./月]?\d{1,2}/u
/** Conflict marks that need no more in the brackets, except a number or the name of a machine. */
const BARE_CONFLICT =
  /^(?:sf)?(?:case |selective sync |unicode encoding |white ?space )?conflict(?:ed|ing)?(?: ?#?\d{1,3})?$|^sfconflict /iu

/** Conflicts written without brackets; the group is the name of the original. */
const CONFLICT_ENDS: readonly RegExp[] = [
  // Syncthing, and its kept versions.
  /^(.+)\.sync-conflict-\d{8}-\d{6}(?:-[\p{L}\d]+)?$/u,
  /^(.+)~\d{8}-\d{6}$/u,
  // ownCloud, Resilio, Google Drive's old program, git mergetool.
  /^(.+)_conflict-\d{8}-\d{6}$/iu,
  /^(.+)\.conflict(?:ed)?\d*$/iu,
  /^(.+)_conf\(\d+\)$/iu,
  /^(.+)_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+$/u,
  // Synology: Plan_DESKTOP-AB12_Mar-01-123456-2026_Conflict.
  /^(.+?)_[^_]+_[A-Z][a-z]{2}-\d{2}-\d{6}-\d{4}_(?:Case)?Conflict$/u,
]

/** Endings of copies; these names may be innocent, so only an original beside them makes them copies. */
const COPY_ENDS: readonly RegExp[] = [
  new RegExp(
    `^(.+?)(?:(?: [-–—])? (?:${WORDS_APART})|(?: ?[-–—的の]| ?의)? ?(?:${WORDS_JOINED}))(?: ?\\d{1,3}| ?[(（]\\d{1,3}[)）])?$`,
    'iu',
  ),
  // OneDrive appends the name of the machine.
  /^(.+)-(?:(?:DESKTOP|LAPTOP|WIN|PC)-[A-Z\d]{4,}|[A-Z\d]+-(?:PC|LAPTOP|DESKTOP)|[\p{L}\d]+s-(?:MacBook|iMac|Mac)(?:-(?:Pro|Air|mini|Studio))?)(?:-\d{1,2})?$/u,
]
const COPY_STARTS: readonly RegExp[] = [
  new RegExp(
    `^(?:${COPY_WORDS})(?: ?[(（]\\d{1,3}[)）])? (?:of|von|vom|de|di|do|da|van|av|af|từ|של|من|-|–|—)(?: l['’])? ?(.+)$`,
    'iu',
  ),
  /^(?:Копия|Копія|Kopia|Αντίγραφο|Salinan|نسخة|สำเนา|사본) (.+)$/u,
  /^[“"「『](.+)[”"」』](?:的副本|のコピー|의 사본)$/u,
]

/** A cheap test, since every listing looks at each name and almost none is a copy. */
const MAY_BE_COPY = new RegExp(
  `[)\\]）］” 」』]$|["]$| \\d$|conf|~\\d{8}|_\\d+$|-(?:[\\p{L}\\d]*\\d|mac|macbook|imac|pro|air|mini|studio|pc|laptop|desktop)$|${COPY_WORDS}`,
  'iu',
)

interface Reading {
  readonly base: string
  readonly isConflict: boolean
}

/** Text before the brackets that end a name, and the text in them. */
function readBrackets(stem: string): { readonly base: string; readonly inside: string } | null {
  if (!/[)\]）］]$/u.test(stem)) return null
  let depth = 0
  for (let at = stem.length - 1; at > 0; at -= 1) {
    if (/[)\]）］]/u.test(stem[at] ?? '')) depth += 1
    else if (/[([（［]/u.test(stem[at] ?? '')) depth -= 1
    if (depth === 0) return { base: stem.slice(0, at).trimEnd(), inside: stem.slice(at + 1, -1).trim() }
  }
  return null
}

function saysConflict(inside: string): boolean {
  if (BARE_CONFLICT.test(inside)) return true
  return CONFLICT.test(inside) && (COPY.test(inside) || VERSION.test(inside) || DAY.test(inside))
}

/** Matches a number or the word alone: "(1)", "(copy)", "(3rd copy)", "(Kopie 2)". */
function saysCopy(inside: string): boolean {
  if (/^\d{1,3}$/u.test(inside)) return true
  return inside.length < 30 && COPY.test(inside) && inside.split(' ').length <= 3
}

function readConflict(stem: string): string | null {
  const brackets = readBrackets(stem)
  if (brackets !== null && saysConflict(brackets.inside)) return brackets.base
  const bare = /^(.+?)(?: [-–—])? (?:[\p{L}\d'’-]+ )?conflicted copy\b.*$/iu.exec(stem)?.[1]
  return bare ?? CONFLICT_ENDS.map((end) => end.exec(stem)?.[1]).find((base) => base !== undefined) ?? null
}

/** Every original that a name may be a copy of. */
function readings(stem: string, has: (stem: string) => boolean): readonly Reading[] {
  if (!MAY_BE_COPY.test(stem)) return []
  const conflict = readConflict(stem)
  if (conflict !== null) return conflict.trim() === '' ? [] : [{ base: conflict, isConflict: true }]
  const brackets = readBrackets(stem)
  const numbered = /^(.+\S) [2-9]$/u.exec(stem)?.[1]
  const bases = [
    ...(brackets !== null && saysCopy(brackets.inside) ? [brackets.base] : []),
    // iCloud begins with 2; with a 1 beside it, it is a series of notes.
    ...(numbered !== undefined && !has(`${numbered} 1`) ? [numbered] : []),
    ...[...COPY_ENDS, ...COPY_STARTS].flatMap((pattern) => pattern.exec(stem)?.[1] ?? []),
  ]
  return bases.filter((base) => base.trim() !== '').map((base) => ({ base, isConflict: false }))
}

interface NameParts {
  readonly folder: string
  readonly stem: string
  readonly extension: string
}

function partsOf(path: string): NameParts | null {
  const [, folder = '', stem = '', extension = ''] = /^(.*\/)?([^/]+?)(\.[a-z][a-z\d]*)$/isu.exec(slashed(path)) ?? []
  return stem === '' || stem.length > MAX_NAME ? null : { folder, stem: stem.normalize('NFC'), extension }
}

/** One spelling for comparing paths: forward slashes and Unicode's composed form. */
export function comparablePath(path: string): string {
  return slashed(path).normalize('NFC')
}

/**
 * The neighbouring file that a sync program, a file manager or a download copied to make this one; undefined where the
 * name is not that of a copy or there is no such file.
 * @param has whether there is a note of that path, spelled as by `comparablePath`
 */
export function originalBeside(path: string, has: (path: string) => boolean): string | undefined {
  const parts = partsOf(path)
  if (parts === null) return undefined
  const pathOf = (stem: string): string => (parts.folder + stem + parts.extension).normalize('NFC')
  const hasStem = (stem: string): boolean => has(pathOf(stem))
  let stems: readonly string[] = [parts.stem]
  for (let depth = 0; depth < MAX_DEPTH && stems.length > 0; depth += 1) {
    stems = [...new Set(stems.flatMap((stem) => readings(stem, hasStem).map(({ base }) => base)))]
    const found = stems.find(hasStem)
    if (found !== undefined) return pathOf(found)
  }
  return undefined
}

/** The paths that `originalBeside` may look up, so that they can be read at once. */
export function possibleOriginals(path: string): readonly string[] {
  const asked: string[] = []
  originalBeside(path, (each) => {
    asked.push(each)
    return false
  })
  return asked
}

/** The path without the mark of a sync program: the day of a conflict is not the day of the note. */
export function withoutConflict(path: string): string {
  const parts = partsOf(path)
  const base = parts === null || !MAY_BE_COPY.test(parts.stem) ? null : readConflict(parts.stem)
  return parts === null || base === null ? path : parts.folder + base + parts.extension
}
