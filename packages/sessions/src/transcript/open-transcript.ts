import type { CallOptions } from '@mnemark/spec'
import type { Counters } from './entry.ts'
import type { NewEntry, Tail, Written } from './transcript-file.ts'
import type { TranscriptTree } from './tree.ts'

export interface WriteEntriesOptions extends CallOptions {
  /** Asked inside the lock with the end of the file as it then is: false writes nothing. */
  readonly check?: (tail: Tail) => boolean
}

/** A transcript as compaction and flush need it. */
export interface OpenTranscript {
  readonly key: string
  readonly counters: Counters
  /** Where the entries are; read up to the end of the file. */
  tree(options?: CallOptions): Promise<TranscriptTree>
  /** Appends entries inside the lock; none where `check` says no. */
  write(entries: readonly NewEntry[], options?: WriteEntriesOptions): Promise<readonly Written[]>
}
