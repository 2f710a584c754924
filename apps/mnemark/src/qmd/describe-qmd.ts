import type { BackendStatus } from '@mnemark/spec'
import type { QmdSettings } from '../config/schema/qmd-settings.ts'

/** Describes how search works, in a sentence. */
export function qmdSummary(qmd: QmdSettings): string {
  const modes = { search: 'keywords', vsearch: 'vectors', query: 'keywords, vectors and reranking' } as const
  const other = qmd.fallback === 'none' ? '' : '; the built-in engine steps in'
  return `${modes[qmd.searchMode]} of QMD${other}`
}

/** The rows of `status` about QMD: program, home, content, and its fallback. */
export function qmdRows(status: {
  readonly backend: string
  readonly qmd?: BackendStatus['details']
}): readonly (readonly [string, string])[] {
  const read = (...path: readonly string[]): unknown =>
    path.reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      status.qmd,
    )
  const rows: (readonly [string, string])[] = [['answers', status.backend]]
  if (read('home') !== undefined) {
    rows.push(['qmd', `${read('version') ?? 'version unknown'}, mode ${read('searchMode')}, at ${read('home')}`])
    const embedded = read('embeddedAt') ?? null
    rows.push(['updated', `${read('updatedAt') ?? 'never'}${embedded === null ? '' : `, embedded ${embedded}`}`])
  }
  const needed = Number(read('models', 'needed') ?? 0)
  if (needed > 0) rows.push(['models', `${read('models', 'present')} of ${needed}`])
  const message = read('fallback', 'failure', 'message')
  if (message !== undefined)
    rows.push(['qmd fails', `${message} It is tried again after ${read('fallback', 'failure', 'retryAt')}.`])
  return rows
}
