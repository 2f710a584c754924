import { findSecrets } from './mask-text.ts'

/** The report of what was written, with what there is to be said of its text. */
export type Warned<Report> = Report & {
  /** What to know about the text: it looks as if it held a password or a key. */
  readonly warning?: string
}

/** The report of a text that was written, with a warning where it looks as if it held a secret, of which no character is shown. */
export async function warnOfSecrets<Report extends { readonly path: string }>(
  report: Report,
  text: string,
): Promise<Warned<Report>> {
  const { length } = await findSecrets(text)
  if (length === 0) return report
  const what = length === 1 ? 'what looks like a password or key' : `what looks like ${length} passwords or keys`
  return { ...report, warning: `The text holds ${what}, which now stands in ${report.path} in the clear.` }
}
