import { isStopWord, type LatinLanguage, termSet } from '@mnemark/core/text'

/** Why a summary is not good enough to stand for messages. */
export type SummaryRefusal = 'template' | 'unrelated' | 'unchanged'

const MIN_CHARACTERS = 100
const MIN_SHARED_WORDS = 3
const LANGUAGES: readonly LatinLanguage[] = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ro', 'id', 'sw', 'fi', 'vi', 'tr']
/** A heading of Markdown, a line that is bold as a whole, or a short label with nothing behind it. */
const HEADING = /^\s*(?:#{1,6}\s.*|\*\*[^*]{1,80}\*\*:?|[^\s:][^:]{0,60}:)\s*$/u

/**
 * A summary is kept only if it has at least 100 characters outside headings, shares three content words with what it covers, and differs from
 * the one before. Null where it is good.
 * @param covered the texts it stands for; read only until enough words are found
 */
export async function refusalOf(
  summary: string,
  { previous, covered }: { readonly previous: string | null; readonly covered: AsyncIterable<string> },
): Promise<SummaryRefusal | null> {
  const body = summary
    .split('\n')
    .filter((line) => !HEADING.test(line))
    .join('\n')
    .trim()
  if (body.length < MIN_CHARACTERS) return 'template'
  if (previous !== null && plain(summary) === plain(previous)) return 'unchanged'
  const words = contentWords(body)
  const shared = new Set<string>()
  for await (const text of covered) {
    for (const term of termSet(text)) if (words.has(term)) shared.add(term)
    if (shared.size >= MIN_SHARED_WORDS) return null
  }
  return 'unrelated'
}

function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().toLowerCase()
}

function contentWords(text: string): ReadonlySet<string> {
  return new Set(
    [...termSet(text)].filter((term) => !isStopWord(term, undefined) && !LANGUAGES.some((one) => isStopWord(term, one))),
  )
}
