import type { BatchLine } from './batch-job.ts'
import type { JobForm } from './batch-results.ts'
import type { BatchService } from './batch-service.ts'
import type { WireReply, WireRequest } from '../wire/exchange.ts'

/** The offline side of a wire: how files and jobs are spoken of, and what stands in a line of a file. */
export interface BatchForm extends JobForm {
  /** Does what the request asks for, as strictly as the service; undefined where the path is none of the batch API's. */
  handle(request: WireRequest, service: BatchService, apiKey: string): WireReply | undefined | Promise<WireReply | undefined>
}

/** Line ids that all of these services accept. */
const LINE_ID = /^[A-Za-z0-9_-]{1,64}$/

/**
 * The lines of an input file, each read by `read`, which returns a problem as text; or the first problem, for which the
 * whole job fails.
 */
export function readLines(
  text: string,
  maxLines: number,
  read: (line: Readonly<Record<string, unknown>>) => BatchLine | string,
): { readonly lines: readonly BatchLine[]; readonly problem?: string } {
  const lines: BatchLine[] = []
  const ids = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const found = lineOf(line, read)
    const problem = typeof found === 'string' ? found : idProblem(found.id, ids)
    if (typeof found === 'string' || problem !== undefined)
      return { lines: [], problem: `line ${index + 1}: ${problem ?? 'cannot be read'}` }
    ids.add(found.id)
    lines.push(found)
  }
  if (lines.length === 0) return { lines, problem: 'the file is empty' }
  return lines.length > maxLines ? { lines: [], problem: `more than ${maxLines} lines` } : { lines }
}

function lineOf(line: string, read: (line: Readonly<Record<string, unknown>>) => BatchLine | string): BatchLine | string {
  try {
    const parsed: unknown = JSON.parse(line)
    // An object that is not an array has named members; they stay unknown.
    return typeof parsed === 'object' && parsed !== null ? read(parsed as Readonly<Record<string, unknown>>) : 'not an object'
  } catch {
    return 'not JSON'
  }
}

function idProblem(id: string, known: ReadonlySet<string>): string | undefined {
  if (!LINE_ID.test(id)) return 'an id may only have letters, digits, "-" and "_", 64 at most'
  return known.has(id) ? 'an id that another line has' : undefined
}
