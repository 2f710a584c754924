import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DocumentSource, DocumentStat, SkippedDocument } from '@mnemark/spec'
import { onTestFinished } from 'vitest'

/** A folder of files that goes away with the test. Its path is a real one, free of links. */
export function makeFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mnemark-workspace-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) addFile(folder, path, content)
  return folder
}

export function addFile(folder: string, path: string, content: string | Uint8Array = `# ${path}\n`): void {
  const absolute = join(folder, path)
  mkdirSync(dirname(absolute), { recursive: true })
  writeFileSync(absolute, content)
}

const PIPE_COMMAND = 'mkfifo'

/** A named pipe nobody writes to: who opens it carelessly waits for ever. */
export function makePipe(...paths: readonly string[]): void {
  execFileSync(PIPE_COMMAND, paths)
}

export interface Listing {
  readonly documents: readonly DocumentStat[]
  readonly paths: readonly string[]
  readonly skipped: Readonly<Record<string, string>>
  /** The listing's error at its end; null if it ended well. */
  readonly error: unknown
}

export async function listAll(source: DocumentSource): Promise<Listing> {
  const items: (DocumentStat | SkippedDocument)[] = []
  let error: unknown = null
  try {
    for await (const item of source.list()) items.push(item)
  } catch (thrown) {
    error = thrown
  }
  const documents = items.filter((item): item is DocumentStat => !('skipped' in item))
  const skipped = items.filter((item): item is SkippedDocument => 'skipped' in item).map((item) => [item.path, item.skipped])
  return { documents, paths: documents.map(({ path }) => path), skipped: Object.fromEntries(skipped), error }
}

/** Collects everything that `DocumentSource.stat` yields. */
export async function collect(items: AsyncIterable<DocumentStat | SkippedDocument> | undefined): Promise<unknown[]> {
  const collected: unknown[] = []
  for await (const item of items ?? []) collected.push(item)
  return collected
}

/** Runs `action` without the rights of root, which no permission stops. */
export async function asOrdinaryUser<Result>(action: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0 || process.seteuid === undefined) return action()
  process.seteuid(65_534)
  try {
    return await action()
  } finally {
    process.seteuid(0)
  }
}
