import type { SearchReply } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import type { Console } from '../terminal/console.ts'
import { fromHere } from './from-here.ts'
import { isolate, printableName } from '../terminal/isolate.ts'
import { noteLack } from './print-reply.ts'
import { placeOf } from './show-place.ts'

export interface FileList {
  readonly notes: Pick<Workspace, 'place'>
  /** Paths are shown relative to this folder; those outside it are absolute. */
  readonly currentFolder: string
  /** Ends each path with NUL instead of a line end, for names that hold one. */
  readonly isNullEnded: boolean
}

/** Prints the files of the hits, best first, each once, as paths that a program started here can open. */
export async function printFiles(console: Console, reply: SearchReply, list: FileList): Promise<void> {
  const show = console.isTerminal ? (path: string) => isolate(printableName(path)) : (path: string) => path
  const end = list.isNullEnded ? '\0' : '\n'
  const files: string[] = []
  for (const path of new Set(reply.hits.map((hit) => hit.path))) {
    const file = await placeOf(path, list.notes)
    if (file === null) console.note(`mnemark: ${printableName(path)} is no file that can be opened here`)
    else files.push(show(fromHere(file, list.currentFolder)) + end)
  }
  await console.stream(files)
  noteLack(console, reply)
}
