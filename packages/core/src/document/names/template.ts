import type { TextRange } from '../markdown/hidden-blocks.ts'
import { isTimelessPath, slashed } from './marks.ts'
import { fileTitle } from './file-title.ts'
import type { Outline } from '../markdown/outline.ts'

/**
 * Folder names in the languages of the applications that make them; signs and numbers around the word (`_templates`,
 * `99 Vorlagen`) are ignored. Words that mean other things as often (`Mall`, `Modelli`) are left out: a note wrongly
 * ranked low is worse than a template ranked too high.
 */
const FOLDERS: ReadonlySet<string> = new Set(
  'template templates vorlage vorlagen plantilla plantillas modèle modèles sjabloon sjablonen mallar skabelon skabeloner szablon szablony šablona šablony sablon sablonok şablon şablonlar șablon șabloane шаблон шаблоны шаблони πρότυπο πρότυπα 模板 模版 范本 範本 テンプレート ひな形 雛形 템플릿 قالب قوالب الگو الگوها תבנית תבניות แม่แบบ เทมเพลต साँचा साँचे टेम्पलेट templat'
    .split(' ')
    .map((name) => name.normalize('NFC')),
)
/** A template is short: a longer text is not searched. */
const MAX_TEXT = 20_000
const MAX_LINE = 600
/**
 * `{{date}}`, `<% tp.file.title %>`, `${title}`, `[Your name]`, `____`. Not matched, since notes use them: macros of
 * Logseq and Hugo, cloze deletions, variables of a shell (`${API_KEY}`), links and footnotes.
 */
const PLACEHOLDER =
  /\{\{(?![<%]|\s*(?:embed|query|renderer|video|youtube|tweet|twitter|zotero|image|img|cloze|c\d+::))[^{}]{0,200}\}\}|<%.{0,300}?%>|\$\{(?![A-Z0-9_]+\})[^{}]{1,100}\}|(?<![[!\]])\[\p{L}[^[\]]{1,60}\](?![([:])|_{3,}/gu
const CODE = /`[^`]{1,300}`/g
const BEFORE_TEXT = /^[\s>|]*(?:(?:[-*+•]|\d{1,9}[.)])(?:\s+|$))?(?:\[[ xX]?\](?:\s+|$))?/
const LABEL = /^[^:：]{1,60}[:：]/u
const LETTERS = /[\p{L}\p{N}]/gu

interface Weighed {
  placeholders: number
  /** Lines that wait to be filled in. */
  slots: number
  /** Lines with content; a block of code counts as one. */
  content: number
}

function isTemplateFolder(folder: string): boolean {
  const name = folder.normalize('NFC').replace(/^[^\p{L}\p{M}]{1,20}|[^\p{L}\p{M}]{1,20}$/gu, '')
  return FOLDERS.has(name.toLowerCase())
}

/**
 * Whether a note is made to be filled in: by its folder, by placeholders that outweigh its content, or as a daily note
 * that nobody wrote in.
 */
export function isTemplate(
  path: string,
  note: { readonly text: string; readonly outline: Outline; readonly frontMatter?: TextRange },
): boolean {
  if (slashed(path).split('/').slice(0, -1).some(isTemplateFolder)) return true
  if (note.text.length > MAX_TEXT || isTimelessPath(path)) return false
  const { placeholders, slots, content } = weigh(note)
  if (placeholders > 0) return slots >= Math.max(1, 2 * content)
  // Without a placeholder only the name tells an untouched daily note from a note that consists of its name.
  return slots > 0 && content === 0 && fileTitle(path) === ''
}

function weigh({ text, outline, frontMatter }: Parameters<typeof isTemplate>[1]): Weighed {
  const weighed: Weighed = { placeholders: 0, slots: 0, content: 0 }
  const isInFrontMatter = (at: number) => frontMatter !== undefined && frontMatter.start <= at && at < frontMatter.end
  let fence = 0
  for (const [line, kind] of outline.kinds.entries()) {
    const start = outline.starts[line] ?? 0
    if (kind === 'fence') {
      // Only the first line of a block counts.
      if (outline.groups[line] !== fence) weighed.content += 1
      fence = outline.groups[line] ?? 0
    } else if (kind !== 'blank' && (kind !== 'hidden' || isInFrontMatter(start))) {
      weighLine(weighed, text.slice(start, outline.ends[line]), kind === 'heading' || kind === 'hidden')
    }
  }
  return weighed
}

function countLetters(text: string): number {
  return text.match(LETTERS)?.length ?? 0
}

/** `isFrame`: headings and front matter lay a note out, so only their placeholders count. */
function weighLine(weighed: Weighed, line: string, isFrame: boolean): void {
  if (line.length > MAX_LINE) {
    weighed.content += 1
    return
  }
  const said = line.replace(BEFORE_TEXT, '').replace(CODE, (code) => code.replaceAll(/[^\p{L}]/gu, ''))
  const found = said.match(PLACEHOLDER) ?? []
  const own = found.length === 0 ? said : said.replace(PLACEHOLDER, ' ')
  const outside = countLetters(own.replace(LABEL, ''))
  if (found.length > 0 && countLetters(found.join('')) >= outside) {
    weighed.placeholders += found.length
    weighed.slots += 1
  } else if (isFrame) return
  else if (countLetters(own) > 0 && outside > 0) weighed.content += 1
  else if (said !== line || countLetters(own) > 0) weighed.slots += 1
}
