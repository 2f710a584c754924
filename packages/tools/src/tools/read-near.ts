import { WorkspaceError } from '@mnemark/spec'
import type { ReadReply, ReadRequest } from '@mnemark/spec'
import type { MemoryCall, ToolHost } from '../host/host.ts'
import type { NotePlace } from './note-place.ts'

type Request = Omit<ReadRequest, 'caller' | 'signal'>

export interface NearReading {
  readonly reply: ReadReply
  /** Similar paths, if no note was read. */
  readonly near: readonly string[]
}

const MOST_NEAR = 5

/**
 * Reads the note that was meant: the exact path, else without a leading slash, with `.md`, or the only note of that name. Rejects
 * as reading does if there is none of these.
 */
export async function readNear(
  host: ToolHost,
  { path, ...lines }: NotePlace & Pick<Request, 'quoteHash'>,
  call: MemoryCall,
): Promise<NearReading> {
  let failure: unknown
  let missing: ReadReply | null = null
  for (const spelling of spellingsOf(path)) {
    try {
      const reply = await host.read({ path: spelling, ...lines }, call)
      if (reply.status !== 'not-found' || reply.moved !== undefined) return { reply, near: [] }
      missing ??= reply
    } catch (error) {
      if (!WorkspaceError.isInstance(error) || error.code !== 'refused') throw error
      failure ??= error
    }
  }
  const near = await namedLike(host, path, call)
  const [only] = near
  if (only !== undefined && near.length === 1) return { reply: await host.read({ path: only, ...lines }, call), near: [] }
  if (missing === null && near.length === 0) throw failure
  return { reply: missing ?? { path, status: 'not-found', text: '', startLine: 0, endLine: 0 }, near }
}

function spellingsOf(path: string): readonly string[] {
  const inside = path.replace(/^(?:\.?\/)+/u, '')
  const isNamed = /\.(?:md|markdown)$/iu.test(path)
  const spellings = [path, inside, ...(isNamed ? [] : [`${inside}.md`])]
  return [...new Set(spellings)].filter((spelling) => spelling !== '')
}

/** Notes whose path ends in the one asked for, else those of the same name. */
async function namedLike(host: ToolHost, path: string, call: MemoryCall): Promise<readonly string[]> {
  if (host.paths === undefined) return []
  const wanted = key(path)
  const name = wanted.slice(wanted.lastIndexOf('/') + 1)
  if (name === '') return []
  const paths = await host.paths(call)
  const ending = paths.filter((one) => `/${key(one)}`.endsWith(`/${wanted}`))
  const named = ending.length > 0 ? ending : paths.filter((one) => `/${key(one)}`.endsWith(`/${name}`))
  return named.slice(0, MOST_NEAR)
}

function key(path: string): string {
  return path
    .normalize('NFC')
    .toLowerCase()
    .replace(/^(?:\.{0,2}\/)+/u, '')
    .replace(/\.(?:md|markdown)$/u, '')
}
