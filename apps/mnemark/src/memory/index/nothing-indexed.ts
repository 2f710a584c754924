import { readdirSync } from 'node:fs'
import { extname } from 'node:path'
import type { Degradation } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'

const MOST_KINDS = 4

/** Explains an empty result: what was searched and what is there, for a folder that is empty or was given by mistake. */
export function explainNothing<Reply extends { readonly degraded: readonly Degradation[] }>(
  reply: Reply,
  notes: Workspace,
  showsPlace: boolean,
): Reply {
  if (!reply.degraded.some(({ code }) => code === 'nothing-indexed')) return reply
  const { root } = notes.describe()
  const place = showsPlace ? root.configured : 'the folder of notes'
  const message = `Nothing is indexed: ${place} ${root.problem === null ? whatIsIn(root.realPath) : `cannot be used (${root.problem})`}.`
  return { ...reply, degraded: reply.degraded.map((one) => (one.code === 'nothing-indexed' ? { ...one, message } : one)) }
}

function whatIsIn(folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  if (entries.length === 0) return 'is empty'
  const folders = entries.filter((entry) => entry.isDirectory()).length
  const kinds = new Map<string, number>()
  for (const entry of entries) {
    const kind = extname(entry.name).toLowerCase() || 'without an ending'
    if (!entry.isDirectory()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  const shown = [...kinds].sort(([, left], [, right]) => right - left).slice(0, MOST_KINDS)
  const files = entries.length - folders
  const parts = [
    ...(folders > 0 ? [`${folders} folder${folders === 1 ? '' : 's'}`] : []),
    ...(files > 0
      ? [`${files} file${files === 1 ? '' : 's'} (${shown.map(([kind, count]) => `${count} ${kind}`).join(', ')})`]
      : []),
  ]
  return `holds no notes that are read (Markdown), but ${parts.join(' and ')}`
}
