import type { Journal, JournalEvent, Opinion, ReflectOptions } from '@mnemark/bank'
import { dayInZone } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import { appendToJournal, readJournal } from '../facts/journal-files.ts'

/** Verdicts, numbers and deletions that the journal holds. */
export function recordsIn(
  journal: Journal,
  timeZone: string,
): Pick<ReflectOptions, 'verdicts' | 'anchors' | 'deleted' | 'tombstones'> {
  const forgotten = journal.entries('forget')
  return {
    verdicts: journal.entries('verdict').map(({ opinion, fact, verdict, strength, by }) => {
      return { opinion, fact, verdict, strength, by: by === 'model' ? 'model' : 'person' }
    }),
    anchors: journal.entries('anchor').map(({ opinion, value, absorbed, at }) => {
      return { opinion, confidence: value, absorbed, day: dayInZone(Date.parse(at), timeZone) }
    }),
    deleted: forgotten.flatMap(({ id, evidence, page }) => (page === undefined ? [{ opinion: id, evidence }] : [])),
    tombstones: forgotten.flatMap(({ id, page }) => (page === undefined ? [] : [{ path: page, fact: id }])),
  }
}

/** Numbers that a person typed since the last run: the page has them too, and the journal their day. */
export async function recordAnchors(
  opinions: readonly Opinion[],
  settings: Pick<Settings, 'workspace' | 'stateFolder'>,
  nowMs: number,
): Promise<void> {
  const known = new Set((await readJournal(settings)).entries('anchor').map(({ opinion, value }) => `${opinion} ${value}`))
  const events = opinions.flatMap(({ id, anchor: { isTyped, isByPerson, confidence, absorbed } }): readonly JournalEvent[] =>
    isTyped && isByPerson && !known.has(`${id} ${confidence}`)
      ? [{ op: 'anchor', opinion: id, value: confidence, absorbed }]
      : [],
  )
  await appendToJournal(settings, events, { nowMs, by: 'person' })
}
