import { pathToFileURL } from 'node:url'
import type { SearchHit } from '@mnemark/spec'
import type { Workspace } from '@mnemark/workspace'
import type { Console } from '../terminal/console.ts'
import { isolate } from '../terminal/isolate.ts'

export type ShowPlace = (hit: SearchHit, shown: string) => string

/**
 * How the places of hits are shown: on a terminal isolated, and as a link to the file if the terminal supports links; on a pipe
 * unchanged, for programs that open them.
 */
export async function placesOf(
  hits: readonly SearchHit[],
  notes: Pick<Workspace, 'place'>,
  console: Console,
): Promise<ShowPlace> {
  if (!console.isTerminal) return (_hit, shown) => shown
  const { createSupportsHyperlinks } = await import('supports-hyperlinks')
  if (!console.hasColour || !createSupportsHyperlinks({ isTTY: true })) return (_hit, shown) => isolate(shown)
  const urls = new Map<string, string>()
  for (const { path } of hits) {
    const place = await placeOf(path, notes)
    if (place !== null) urls.set(path, pathToFileURL(place).href)
  }
  return ({ path }, shown) => linked(isolate(shown), urls.get(path))
}

/** Null if the file is unknown, such as that of a note removed just now. */
export async function placeOf(path: string, notes: Pick<Workspace, 'place'>): Promise<string | null> {
  return notes.place(path).then(
    (place) => place?.file ?? null,
    () => null,
  )
}

const LINK = '\u001B]8;;'
const END = '\u001B\\'

/** An OSC 8 link: terminals show the text and open the URL. */
function linked(text: string, url: string | undefined): string {
  return url === undefined ? text : `${LINK}${url}${END}${text}${LINK}${END}`
}
