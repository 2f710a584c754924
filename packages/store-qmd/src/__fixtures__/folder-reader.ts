import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type DocumentReader, type ReadReply, WorkspaceError } from '@mnemark/spec'

/** A reader over whole folders with the rules of the contract; it does not decide which notes a workspace has. */
export function folderReader(workspace: string, others: readonly string[]): DocumentReader {
  return {
    read: async ({ path: asked, from: fromLine = 1, lines: lineCount = 120, signal }) => {
      signal?.throwIfAborted()
      const [, path = asked, first = String(fromLine), last] = /^(.*?)#L(\d+)-L(\d+)$/s.exec(asked) ?? []
      const from = Number(first)
      const lines = last === undefined ? lineCount : Number(last) - from + 1
      const absolute = isAbsolute(path) ? path : join(workspace, path)
      const root = [workspace, ...others].find((candidate) => isInside(candidate, absolute))
      if (root === undefined || !/\.(?:md|markdown)$/i.test(path) || path.endsWith('.excalidraw.md')) throw refused()
      if (isAbsolute(asked) === false && !isInside(workspace, absolute)) throw refused()
      if (!existsSync(absolute)) return reply(path, [], { from, status: 'not-found' })
      if (!isInside(realpathSync(root), realpathSync(absolute))) throw refused()
      const rows = readFileSync(absolute, 'utf8').split('\n')
      const part = rows.slice(from - 1, from - 1 + lines)
      return reply(path, part, { from, status: 'ok' })
    },
  }
}

function reply(path: string, rows: readonly string[], { from, status }: { from: number; status: ReadReply['status'] }): ReadReply {
  return { path, status, text: rows.join('\n'), startLine: rows.length === 0 ? 0 : from, endLine: rows.length === 0 ? 0 : from + rows.length - 1 }
}

function isInside(folder: string, path: string): boolean {
  const below = relative(folder, resolve(path))
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}

function refused(): WorkspaceError {
  return new WorkspaceError('refused', 'This path is no note of the workspace.')
}
