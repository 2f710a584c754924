import type { Connection } from '../connection/connection.ts'
import { rebuildAllBlocks } from '../vectors/rebuild-blocks.ts'

/**
 * The file format, one step per version; a released step is never edited, only followed by another.
 *
 * Chunk rows are narrow so that filters read few pages; the wide text is in `chunk_texts`. Inputs have a small number
 * each, so that vectors, failures and chunks refer to it instead of a hash. Blocks and vectors are rows with an index
 * beside them: as WITHOUT ROWID tables each comparison of a key would read a whole blob (measured: 42 us a look-up, not
 * 2). A segment is `pending` while a merge writes it, `live`, `dropped` until its blocks are swept, then `gone`: only
 * its id is left. Vectors have the format of `vector-codes.ts`; a null one has no bytes. No foreign keys are declared:
 * every delete here is explicit, and `check` looks for orphans.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    part INTEGER NOT NULL CHECK (part >= -1),
    size INTEGER NOT NULL,
    modified_at_ms REAL NOT NULL,
    inode TEXT,
    version TEXT,
    content_hash TEXT NOT NULL,
    recipe TEXT NOT NULL,
    title TEXT,
    from_day TEXT,
    to_day TEXT,
    date_reason TEXT,
    is_evergreen INTEGER NOT NULL,
    properties TEXT,
    UNIQUE (source, path, part)
  ) STRICT;

  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    is_stub INTEGER NOT NULL,
    first_day TEXT,
    last_day TEXT,
    kind TEXT,
    session TEXT,
    audience TEXT,
    entities TEXT,
    tags TEXT
  ) STRICT;
  CREATE INDEX chunks_by_document ON chunks (document);
  CREATE INDEX stub_chunks ON chunks (id) WHERE is_stub = 1;

  CREATE TABLE chunk_texts (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    heading_trail TEXT NOT NULL,
    attributes TEXT NOT NULL,
    unindexed TEXT
  ) STRICT;

  CREATE TABLE inputs (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, last_used INTEGER NOT NULL) STRICT;
  CREATE TABLE chunk_inputs (
    chunk INTEGER NOT NULL,
    position INTEGER NOT NULL,
    input INTEGER NOT NULL,
    PRIMARY KEY (chunk, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX chunk_inputs_by_input ON chunk_inputs (input, chunk);

  CREATE TABLE segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('pending', 'live', 'dropped', 'gone')),
    header BLOB NOT NULL,
    block_count INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX live_segments ON segments (id) WHERE state = 'live';
  CREATE INDEX dropped_segments ON segments (id) WHERE state = 'dropped';
  CREATE TABLE segment_blocks (
    id INTEGER PRIMARY KEY,
    segment INTEGER NOT NULL,
    first_key TEXT NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (segment, first_key)
  ) STRICT;

  CREATE TABLE spaces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fingerprint TEXT NOT NULL UNIQUE,
    space TEXT,
    dimensions INTEGER,
    filled INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    input INTEGER NOT NULL,
    vector BLOB,
    UNIQUE (space, input)
  ) STRICT;
  CREATE TABLE failures (
    space INTEGER NOT NULL,
    input INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (space, input)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE jobs (
    marker TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL,
    job TEXT NOT NULL
  ) STRICT;
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    process_start TEXT,
    renewed_at_ms REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO counters (name, value) VALUES ('uses', 0), ('referenced inputs', 0);
  `,
  // Checksums of data that search reads, and numbers of chunks and segments: lost and changed rows are noticed when read.
  `
  ALTER TABLE chunk_texts ADD COLUMN checksum INTEGER;
  ALTER TABLE segments ADD COLUMN checksum INTEGER;
  ALTER TABLE segment_blocks ADD COLUMN checksum INTEGER;
  INSERT OR REPLACE INTO counters (name, value) VALUES ('chunks', (SELECT count(*) FROM chunks)),
    ('segments', (SELECT count(*) FROM segments WHERE state = 'live'));
  `,
  // Vectors at a third of the bytes, with a checksum; the blocks of codes for the scan, made by `migrate`.
  `
  ALTER TABLE spaces ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE spaces ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE packed_vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space INTEGER NOT NULL,
    input INTEGER NOT NULL,
    slot INTEGER,
    checksum INTEGER,
    bytes BLOB,
    UNIQUE (space, input)
  ) STRICT;
  INSERT INTO packed_vectors (id, space, input, bytes)
    SELECT v.id, v.space, v.input, CASE WHEN v.vector IS NOT NULL THEN pack_vector(v.vector) END
    FROM vectors v JOIN spaces s ON s.id = v.space WHERE v.vector IS NULL OR length(v.vector) = 4 * s.dimensions ORDER BY v.id;
  DELETE FROM packed_vectors WHERE bytes IS NULL AND id IN (SELECT id FROM vectors WHERE vector IS NOT NULL);
  UPDATE packed_vectors SET checksum = vector_checksum(input, bytes) WHERE bytes IS NOT NULL;
  DROP TABLE vectors;
  ALTER TABLE packed_vectors RENAME TO vectors;
  UPDATE spaces SET filled = (SELECT count(*) FROM vectors v WHERE v.space = spaces.id
    AND EXISTS (SELECT 1 FROM chunk_inputs r WHERE r.input = v.input));
  CREATE TABLE vector_blocks (
    id INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    block INTEGER NOT NULL,
    version INTEGER NOT NULL,
    used INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX vector_blocks_by_number ON vector_blocks (space, block, version, used);
  `,
]

export const SCHEMA_VERSION: number = MIGRATIONS.length

/** "MNMK": distinguishes this file from another program's database before anything is written into it. */
export const APPLICATION_ID = 0x4d4e4d4b

/** First version with blocks of codes. */
const FIRST_WITH_BLOCKS = 3

/** Migrates a file of `version` to the newest. Call it in one transaction. */
export function migrate(connection: Connection, version: number): void {
  connection.exec(MIGRATIONS.slice(version).join('\n'))
  if (version > 0 && version < FIRST_WITH_BLOCKS) rebuildAllBlocks(connection)
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`)
}
