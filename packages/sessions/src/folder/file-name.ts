/** A name in the folder of sessions, read. */
export interface TranscriptName {
  readonly file: string
  /** The name of the file is the id, whatever the header says: citations name it. */
  readonly id: string
  /** `reset`: archived by another program, which renames at a reset. `deleted`: taken off the list, still readable. */
  readonly state: 'live' | 'reset' | 'deleted'
  /** When it was renamed, in ms since 1970; null for a live one. */
  readonly archivedMs: number | null
}

const NAME = /^(?<id>[^.].*?)\.jsonl(?:\.(?<state>reset|deleted)\.(?<stamp>\d{4}-\d{2}-\d{2}T[\d.-]{8,12}Z))?$/u
/** Copies of turns that stand elsewhere, and records of other kinds. */
const NOISE = /\.(?:checkpoint\.[^.]+|trajectory|trajectory-path|bak)$|^archive-tier\./u

/** One rule for listing, counting, searching and indexing; null for whatever is no transcript. */
export function readTranscriptName(file: string): TranscriptName | null {
  const groups = NAME.exec(file)?.groups
  if (groups === undefined || NOISE.test(groups['id'] ?? '')) return null
  const { id = '', state = 'live', stamp } = groups
  if (state !== 'live' && state !== 'reset' && state !== 'deleted') return null
  return { file, id, state, archivedMs: stamp === undefined ? null : instantOf(stamp) }
}

/** `2026-03-01T04-00-00.000Z`: an instant in a form that every file system takes. */
export function stampOf(ms: number): string {
  return new Date(ms).toISOString().replaceAll(':', '-')
}

function instantOf(stamp: string): number {
  return Date.parse(stamp.replace(/T(\d{2})-(\d{2})-(\d{2})/u, 'T$1:$2:$3'))
}
