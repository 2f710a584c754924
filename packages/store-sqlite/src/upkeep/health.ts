import type { Connection } from '../connection/connection.ts'
import { countWrongBlocks, rebuildAllBlocks } from '../vectors/rebuild-blocks.ts'

/** `count` finds damage, `repair` removes it in this order. */
interface HealthRule {
  readonly problem: (count: number) => string
  readonly count: string | ((connection: Connection) => number)
  readonly repair: readonly (string | ((connection: Connection) => void))[]
  readonly repaired: string
}

/** No recipe is empty, so a sync finds the document out of date and indexes it again, except its vectors. */
const READ_AGAIN = "UPDATE documents SET recipe = ''"

const NO_TEXT = 'NOT EXISTS (SELECT 1 FROM chunk_texts t WHERE t.id = chunks.id)'
const CHANGED_TEXT = `id IN (SELECT t.id FROM chunk_texts t JOIN chunks c ON c.id = t.id WHERE t.checksum <> chunk_checksum(
  c.ordinal, c.start_line, c.end_line, t.text, t.heading_trail, t.attributes, t.unindexed))`
const BROKEN_SEGMENT = `state = 'live' AND (checksum <> bytes_checksum(header)
  OR block_count <> (SELECT count(*) FROM segment_blocks b WHERE b.segment = segments.id)
  OR EXISTS (SELECT 1 FROM segment_blocks b WHERE b.segment = segments.id AND b.checksum <> bytes_checksum(b.bytes)))`
/** Drops all segments: one may hold the deletions of another, so the rest alone would answer wrongly. */
const DROP_SEGMENTS = [
  'DELETE FROM segment_blocks',
  "UPDATE segments SET state = 'gone', header = x'', block_count = 0, checksum = NULL",
  "UPDATE counters SET value = 0 WHERE name = 'segments'",
]
const FILLED = `(SELECT count(*) FROM vectors v WHERE v.space = spaces.id
  AND EXISTS (SELECT 1 FROM chunk_inputs r WHERE r.input = v.input))`
const REFERENCED = '(SELECT count(*) FROM (SELECT DISTINCT input FROM chunk_inputs))'

const BROKEN_VECTOR = `id IN (SELECT v.id FROM vectors v LEFT JOIN spaces s ON s.id = v.space
  WHERE s.id IS NULL OR s.space IS NULL OR v.input NOT IN (SELECT id FROM inputs) OR (v.bytes IS NULL) <> (v.checksum IS NULL)
    OR v.checksum <> vector_checksum(v.input, v.bytes) OR length(v.bytes) <> 4 + s.dimensions + (s.dimensions + 1) / 2)`
const DROP_STRAY_BLOCKS = 'DELETE FROM vector_blocks WHERE space NOT IN (SELECT id FROM spaces)'

const SEGMENT_COUNT = "(SELECT value FROM counters WHERE name = 'segments')"
const LIVE_SEGMENTS = "(SELECT count(*) FROM segments WHERE state = 'live')"
const CHUNK_COUNT = "(SELECT value FROM counters WHERE name = 'chunks')"

const RULES: readonly HealthRule[] = [
  {
    problem: (count) => `${count} chunks more or fewer than were put`,
    count: `SELECT coalesce(abs(${CHUNK_COUNT} - (SELECT count(*) FROM chunks)), 0)`,
    // Their documents are unknown.
    repair: [READ_AGAIN, ...DROP_SEGMENTS],
    repaired: 'chunks were lost: the next sync reads every note again',
  },
  {
    problem: (count) => `${count} keyword segments more or fewer than were put`,
    count: `SELECT coalesce(abs(${SEGMENT_COUNT} - ${LIVE_SEGMENTS}), 0)`,
    repair: [READ_AGAIN, ...DROP_SEGMENTS],
    repaired: 'keyword segments were lost: the next sync builds them again from the notes',
  },
  {
    problem: (count) => `${count} chunks are not as they were written`,
    count: `SELECT count(*) FROM chunks WHERE ${CHANGED_TEXT}`,
    repair: [
      `${READ_AGAIN} WHERE id IN (SELECT document FROM chunks WHERE ${CHANGED_TEXT})`,
      `UPDATE chunk_texts SET checksum = NULL WHERE ${CHANGED_TEXT}`,
    ],
    repaired: 'changed chunks are read again from their notes by the next sync',
  },
  {
    problem: (count) => `${count} chunks have lost their text`,
    count: `SELECT count(*) FROM chunks WHERE ${NO_TEXT}`,
    // An empty text keeps the chunk's position until then: its words are still in the keyword index.
    repair: [
      `${READ_AGAIN} WHERE id IN (SELECT document FROM chunks WHERE ${NO_TEXT})`,
      `INSERT INTO chunk_texts (id, text, heading_trail, attributes) SELECT id, '', '[]', '{}' FROM chunks WHERE ${NO_TEXT}`,
    ],
    repaired: 'chunks without text are read again from their notes by the next sync',
  },
  {
    problem: (count) => `${count} chunks belong to no document`,
    count: 'SELECT count(*) FROM chunks WHERE document NOT IN (SELECT id FROM documents)',
    // Their words are dropped with the segments.
    repair: ['DELETE FROM chunks WHERE document NOT IN (SELECT id FROM documents)', READ_AGAIN, ...DROP_SEGMENTS],
    repaired: 'removed chunks without a document; the next sync reads every note again',
  },
  {
    problem: (count) => `${count} texts belong to no chunk`,
    count: 'SELECT count(*) FROM chunk_texts WHERE id NOT IN (SELECT id FROM chunks)',
    repair: ['DELETE FROM chunk_texts WHERE id NOT IN (SELECT id FROM chunks)'],
    repaired: 'removed texts without a chunk',
  },
  {
    problem: (count) => `${count} references to inputs lead nowhere`,
    count: 'SELECT count(*) FROM chunk_inputs WHERE chunk NOT IN (SELECT id FROM chunks) OR input NOT IN (SELECT id FROM inputs)',
    repair: [
      `${READ_AGAIN} WHERE id IN (SELECT document FROM chunks WHERE id IN (
        SELECT chunk FROM chunk_inputs WHERE input NOT IN (SELECT id FROM inputs)))`,
      'DELETE FROM chunk_inputs WHERE chunk NOT IN (SELECT id FROM chunks) OR input NOT IN (SELECT id FROM inputs)',
    ],
    repaired: 'removed references that lead nowhere; documents that lost an input are read again by the next sync',
  },
  {
    problem: (count) => `${count} vectors belong to no input or space, or are not as they were written`,
    count: `SELECT count(*) FROM vectors WHERE ${BROKEN_VECTOR}`,
    repair: [`DELETE FROM vectors WHERE ${BROKEN_VECTOR}`, rebuildAllBlocks],
    repaired: 'removed vectors that cannot be used; they are embedded again',
  },
  {
    problem: (count) => `the blocks of ${count} vector spaces do not hold what they should`,
    count: countWrongBlocks,
    repair: [DROP_STRAY_BLOCKS, rebuildAllBlocks],
    repaired: 'made the blocks of the vector scan again from the vectors',
  },
  {
    problem: (count) => `${count} marks of failed inputs belong to no input or space`,
    count: 'SELECT count(*) FROM failures WHERE space NOT IN (SELECT id FROM spaces) OR input NOT IN (SELECT id FROM inputs)',
    repair: ['DELETE FROM failures WHERE space NOT IN (SELECT id FROM spaces) OR input NOT IN (SELECT id FROM inputs)'],
    repaired: 'removed marks of failed inputs that belong to nothing',
  },
  {
    problem: (count) => `${count} keyword segments have lost blocks, or hold changed ones`,
    count: `SELECT count(*) FROM segments WHERE ${BROKEN_SEGMENT}`,
    repair: [READ_AGAIN, ...DROP_SEGMENTS],
    repaired: 'dropped the keyword segments; the next sync builds them again from the notes',
  },
  {
    problem: (count) => `${count} blocks belong to no keyword segment`,
    count: 'SELECT count(*) FROM segment_blocks WHERE segment NOT IN (SELECT id FROM segments)',
    repair: ['DELETE FROM segment_blocks WHERE segment NOT IN (SELECT id FROM segments)'],
    repaired: 'removed blocks without a segment',
  },
  {
    problem: (count) => `${count} kept counts are wrong`,
    count: `SELECT (SELECT count(*) FROM spaces WHERE filled <> ${FILLED})
      + (SELECT count(*) FROM (SELECT ${REFERENCED} AS real) WHERE real <> coalesce(
        (SELECT value FROM counters WHERE name = 'referenced inputs'), -1))
      + (SELECT count(*) FROM (SELECT count(*) AS real FROM chunks) WHERE real <> coalesce(${CHUNK_COUNT}, -1))
      + (SELECT count(*) FROM (SELECT ${LIVE_SEGMENTS} AS real) WHERE real <> coalesce(${SEGMENT_COUNT}, -1))`,
    repair: [
      `UPDATE spaces SET filled = ${FILLED}`,
      `INSERT OR REPLACE INTO counters (name, value) VALUES ('referenced inputs', ${REFERENCED})`,
      `INSERT OR REPLACE INTO counters (name, value) VALUES ('chunks', (SELECT count(*) FROM chunks)), ('segments', ${LIVE_SEGMENTS})`,
      "INSERT OR IGNORE INTO counters (name, value) VALUES ('uses', (SELECT coalesce(max(last_used), 0) FROM inputs))",
    ],
    repaired: 'counted again',
  },
]

export interface Finding {
  readonly problem: string
  readonly repaired?: string
}

/** Damage of pages and indexes reported by SQLite; empty where all is well. */
export function damagedPages(connection: Connection): string[] {
  return connection.values<string>('PRAGMA integrity_check(20)').filter((line) => line !== 'ok')
}

/** Findings of the rules. With `isRepairing`, inside a transaction, each is repaired before the next rule runs. */
export function inspect(connection: Connection, isRepairing: boolean): Finding[] {
  const findings: Finding[] = []
  for (const { problem, count, repair, repaired } of RULES) {
    const found = typeof count === 'string' ? (connection.value<number>(count) ?? 0) : count(connection)
    if (found === 0) continue
    if (isRepairing) for (const step of repair) runStep(connection, step)
    findings.push({ problem: problem(found), ...(isRepairing && { repaired }) })
  }
  return findings
}

function runStep(connection: Connection, step: HealthRule['repair'][number]): void {
  if (typeof step === 'string') connection.run(step)
  else step(connection)
}

/** Call it inside a transaction; returns the repairs. Lost pages cannot be rebuilt: then there are none. */
export function repair(connection: Connection): string[] {
  const done: string[] = []
  if (damagedPages(connection).length > 0) {
    connection.run('REINDEX')
    if (damagedPages(connection).length > 0) return []
    done.push('made the indexes again')
  }
  return [...done, ...inspect(connection, true).flatMap((finding) => finding.repaired ?? [])]
}
