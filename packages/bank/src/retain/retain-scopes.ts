import { entityKey, type ParsedDocument, plainHeading } from '@mnemark/core/document'
import { foldWord } from '@mnemark/core/text'
import type { FactEntity, FactKind } from './fact.ts'
import { ENTITY_PAGE, pageKindOf, RETAIN_HEADINGS } from './fact-places.ts'
import { pageName } from './line/read-entity.ts'

/** Lines of a note, from 0, that may hold facts: a Retain section, or a page of the bank. */
export interface RetainScope {
  readonly first: number
  /** Exclusive. */
  readonly end: number
  /** The kind of lines without a letter; absent in a section, where a fact needs its letter. */
  readonly kind?: FactKind
  readonly entity?: FactEntity
}

/** The annotation that may follow the name of a section: a colon, a remark in brackets, a date. */
const ANNOTATION = /^(?:[:：]?[ \t]?[([（].{0,200}[)\]）]|[:：]?[ \t]?[-–—]?[ \t]?\d[\d./\-年月日 ]{3,20})?[:：]?$/u
const NUMBERED = /^\d{1,3}[.)]?[ \t]+/
const FORMAT_HEADING =
  /^(?:(?:the )?(?:retain )?(?:format|legend|legende|template|syntax|vorlage|formato|leyenda|plantilla|légende|modèle|الصيغة|صيغة|قالب|格式|图例|圖例|模板|範本|凡例|テンプレート))(?![\p{L}\p{N}])/iu

/** Whether a heading opens a Retain section: `## Retain (evening)` does, `## Retained evidence` does not. */
export function isRetainHeading(heading: string, names: readonly string[] = RETAIN_HEADINGS): boolean {
  const plain = plainHeading(heading).replace(NUMBERED, '')
  return names.some((name) => {
    const start = plain.slice(0, name.length)
    return foldWord(start) === foldWord(name) && ANNOTATION.test(plain.slice(name.length).trim())
  })
}

/** Whether what stands below a heading describes the form of facts instead of holding some. */
export function isFormatHeading(heading: string): boolean {
  return FORMAT_HEADING.test(plainHeading(heading))
}

export function scopesOf(path: string, parsed: ParsedDocument, names?: readonly string[]): readonly RetainScope[] {
  const kind = pageKindOf(path)
  const lines = parsed.outline.starts.length
  if (kind !== undefined) {
    const entity = ENTITY_PAGE.test(path.replaceAll('\\', '/')) ? entityOfPage(path, parsed) : undefined
    return [{ first: 0, end: lines, kind, ...(entity !== undefined && { entity }) }]
  }
  const { headings } = parsed.outline
  const scopes: RetainScope[] = []
  for (const [at, heading] of headings.entries()) {
    if (heading.line < (scopes.at(-1)?.end ?? 0) || !isRetainHeading(heading.text, names)) continue
    const next = headings.slice(at + 1).find(({ level }) => level <= heading.level)
    scopes.push({ first: heading.line + 1, end: next?.line ?? lines })
  }
  return scopes
}

function entityOfPage(path: string, parsed: ParsedDocument): FactEntity | undefined {
  const name = (parsed.isTitled ? parsed.title : undefined) ?? pageName(path)
  const key = entityKey(name)
  return key === '' ? undefined : { name, key, isLink: false }
}
