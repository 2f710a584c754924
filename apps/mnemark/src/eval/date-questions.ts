import type { StoredDocument } from '@mnemark/spec'

/** How a day is written by people who write in a script. */
const LOCALES: Readonly<Record<string, string>> = { latin: 'en', arabic: 'ar', han: 'zh', kana: 'ja', hangul: 'ko' }

/** The day a note is about, in words: `March 14, 2026`. None where it has no day, or one of a script whose dates are not read. */
export function datesOf({ from, to }: Pick<StoredDocument, 'from' | 'to'>, script: string): readonly string[] {
  const locale = LOCALES[script]
  if (from === undefined || (to !== undefined && to !== from) || locale === undefined) return []
  return [
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' }).format(
      new Date(`${from}T00:00:00Z`),
    ),
  ]
}
