import type { StoredDocument, StoreSnapshot } from '@mnemark/spec'
import { documentKey } from '@mnemark/spec'
import { indexedText } from '../../chunk/context.ts'
import type { KeywordQuery } from '../../keywords/query/keyword-query.ts'
import { detectLanguage, questionLanguage } from '../../text/detect-language.ts'
import { languageOfTag } from '../../text/language-codes.ts'
import type { Candidate } from './candidate.ts'
import { isAskedByPath, leadOfTranslation, orderByLead } from './lead.ts'
import { type PageGroup, translationGroups } from './translated-pages.ts'

export interface TranslationRequest {
  readonly candidates: readonly Candidate[]
  readonly query: KeywordQuery
  /** The question as it was typed. */
  readonly text: string
  /** The reader's language tag where the question does not tell. Default: the system's. */
  readonly language: string | undefined
}

/** Most pages whose language is detected, and letters of each for detection. */
const MAX_PAGES = 200
const SAMPLE = 4_000
/** Languages so similar that a detector confuses them. */
const ALIKE: readonly ReadonlySet<string>[] = [
  new Set(['hr', 'sr', 'bs']),
  new Set(['no', 'da']),
  new Set(['id', 'ms']),
  new Set(['cs', 'sk']),
]

/** A page of the answer, with the query words in its hits. */
interface Page {
  readonly document: StoredDocument
  readonly matched: ReadonlySet<string>
  /** The greatest lead of its hits. */
  readonly lead: number
  readonly language: string | undefined
}

interface Translation {
  readonly key: string
  readonly page: Page
  readonly language: string
  /** True where the path names the language. */
  readonly isClaimed: boolean
}

/** Cached by the document's row: a changed text has a new row. */
const languages = new WeakMap<StoredDocument, string | undefined>()

async function languageOf(snapshot: StoreSnapshot, document: StoredDocument): Promise<string | undefined> {
  if (languages.has(document)) return languages.get(document)
  let sample = ''
  for (const chunk of await snapshot.chunksOf(document)) {
    sample += `\n${indexedText(chunk.text, chunk.unindexed)}`
    if (sample.length > SAMPLE) break
  }
  const language = detectLanguage(sample)
  languages.set(document, language)
  return language
}

async function pagesOf(
  snapshot: StoreSnapshot,
  keys: ReadonlySet<string>,
  request: TranslationRequest,
): Promise<ReadonlyMap<string, Page>> {
  const content = new Set(request.query.words.filter(({ isStop }) => !isStop).map(({ term }) => term))
  const pages = new Map<string, Page>()
  const documents = new Map(request.candidates.map(({ document }) => [documentKey(document), document]))
  const looked = [...documents].filter(([key]) => keys.has(key)).slice(0, MAX_PAGES)
  await Promise.all(looked.map(([, document]) => languageOf(snapshot, document)))
  for (const candidate of request.candidates) {
    const { document, lead, keywords } = candidate
    const key = documentKey(document)
    if (!keys.has(key) || (pages.size >= MAX_PAGES && !pages.has(key))) continue
    const page = pages.get(key) ?? { document, matched: new Set(), lead, language: await languageOf(snapshot, document) }
    const matched = new Set([...page.matched, ...(keywords?.matched ?? []).filter((term) => content.has(term))])
    pages.set(key, { ...page, matched, lead: Math.max(page.lead, lead) })
  }
  return pages
}

function areAlike(one: string, other: string): boolean {
  return one === other || ALIKE.some((alike) => alike.has(one) && alike.has(other))
}

/** Pages of a group that are in the language of their paths, where the group has more than one. */
function translationsIn(group: PageGroup, pages: ReadonlyMap<string, Page>): readonly Translation[] {
  const found = group.flatMap(([key, claimed]): Translation[] => {
    const page = pages.get(key)
    if (page?.language === undefined || (claimed !== undefined && !areAlike(claimed, page.language))) return []
    return [{ key, page, language: claimed ?? page.language, isClaimed: claimed !== undefined }]
  })
  const isPair = found.some(({ isClaimed }) => isClaimed) && new Set(found.map(({ language }) => language)).size > 1
  return isPair ? found : []
}

/**
 * The page for the reader: in the language of the question, else of the settings, else the one without a language in
 * its path.
 */
function original(translations: readonly Translation[], wanted: readonly (string | undefined)[]): Translation | undefined {
  for (const language of wanted) {
    const found = language && translations.find((each) => each.language === language)
    if (found) return found
  }
  const other = translations.find(({ isClaimed }) => !isClaimed) ?? translations.find(({ language }) => language === 'en')
  return other ?? translations.toSorted((left, right) => right.page.lead - left.page.lead)[0]
}

/**
 * Whether a page is more than a translation: the query names its path, or it holds a word of the question that the
 * other lacks.
 */
function says(page: Page, other: Page): boolean {
  return isAskedByPath(page.lead) ? page.lead > other.lead : [...page.matched].some((term) => !other.matched.has(term))
}

/** Moves all translations of a page but the one in the reader's language behind the other hits, where they can still be found. */
export async function holdBackTranslations(snapshot: StoreSnapshot, request: TranslationRequest): Promise<readonly Candidate[]> {
  const groups = translationGroups(request.candidates)
  const pages = await pagesOf(snapshot, new Set(groups.flat().map(([key]) => key)), request)
  const translated = groups.map((group) => translationsIn(group, pages)).filter((group) => group.length > 0)
  if (translated.length === 0) return request.candidates
  const spoken = new Set(translated.flat().map(({ language }) => language))
  const readers = languageOfTag(request.language ?? Intl.DateTimeFormat().resolvedOptions().locale)
  const wanted = [questionLanguage(request.text, spoken, readers), readers]
  const heldBack = new Set<string>()
  for (const group of translated) {
    const first = original(group, wanted)
    for (const { key, page, language } of group)
      if (first && language !== first.language && !says(page, first.page)) heldBack.add(key)
  }
  const moved = request.candidates.map((candidate) =>
    heldBack.has(documentKey(candidate.document)) ? { ...candidate, lead: leadOfTranslation(candidate.lead) } : candidate,
  )
  return orderByLead(moved).map((candidate, at) => ({ ...candidate, score: candidate.fused, rank: at + 1 }))
}
