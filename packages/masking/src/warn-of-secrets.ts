import { findSecrets } from './mask-text.ts'

/** The report of a write, with a warning about its text where there is one. */
export type Warned<Report> = Report & {
  /** Says that the text looks as if it held a password or a key. */
  readonly warning?: string
}

/** Adds a warning to the report of a write if the text looks as if it held a secret. The warning shows no character of it. */
export async function warnOfSecrets<Report extends { readonly path: string }>(
  report: Report,
  text: string,
): Promise<Warned<Report>> {
  const { length } = await findSecrets(text)
  if (length === 0) return report
  const what = length === 1 ? 'what looks like a password or key' : `what looks like ${length} passwords or keys`
  return { ...report, warning: `The text holds ${what}, which now stands in ${report.path} in the clear.` }
}
