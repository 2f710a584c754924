import { citationOf, type HitVersion, type SearchHit } from '@mnemark/spec'
import { cutText } from '../../document/markdown/plain-text.ts'
import type { NearCopy } from '../../repeats/collapse-repeats.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { FoundEntry } from './found-entries.ts'
import { type EntryVersions, valuesKey } from './gather-versions.ts'
import type { VersionedHit } from './stand-for-versions.ts'

const MOST_ITEMS = 10
const MOST_PIECES = 5
const PIECE_CHARACTERS = 80
const CUT = '…'
/** Punctuation and marks around a word of a text. */
const EDGES = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu

/** Versions and near copies that a hit represents, for display. */
export function hitVersions({ versions, nearCopies = [] }: Pick<VersionedHit, 'versions' | 'nearCopies'>): SearchHit['versions'] {
  const ofEntry = versions ? entryItems(versions) : []
  const near = nearCopies.filter((copy) => !versions?.items.some((entry) => showsAll(entry, copy)))
  if (ofEntry.length + near.length === 0) return undefined
  const nearItems = near.map(({ candidate: { chunk, document }, differs }) =>
    item(citationOf(document.path, chunk.startLine, chunk.endLine), chunk.attributes.from ?? document.from, differs),
  )
  const uncounted = near.filter(({ candidate }) => !versions?.chunkIds.has(candidate.chunk.id)).length
  return {
    items: [...ofEntry, ...nearItems].slice(0, MOST_ITEMS).sort(newestFirst),
    total: (versions?.total ?? 0) + uncounted,
    isComplete: near.length === 0 && (versions?.isComplete ?? false),
  }
}

/** Whether a near copy differs only in the values of a listed entry. */
function showsAll(entry: FoundEntry, { candidate, differs }: NearCopy<Candidate>): boolean {
  const values = valuesKey(entry.wording.values)
  return entry.chunk.id === candidate.chunk.id && differs.every((piece) => values.includes(valuesKey([piece]).replace(EDGES, '')))
}

function newestFirst(left: HitVersion, right: HitVersion): number {
  const [a, b] = [left.day ?? '', right.day ?? '']
  return a < b ? 1 : a > b ? -1 : 0
}

/** Each entry with the values that differ between the shown ones. */
function entryItems({ items }: EntryVersions): HitVersion[] {
  const first: readonly string[] = items[0]?.wording.values ?? []
  const isOther = ({ wording }: FoundEntry, at: number) => valuesKey([wording.values[at] ?? '']) !== valuesKey([first[at] ?? ''])
  const places = first.flatMap((_, at) => (items.some((entry) => isOther(entry, at)) ? [at] : []))
  return items.map((entry) => {
    const { document, startLine, endLine, day, wording } = entry
    return item(
      citationOf(document.path, startLine, endLine),
      day,
      places.map((at) => wording.values[at] ?? ''),
    )
  })
}

function item(citation: string, day: string | undefined, differs: readonly string[]): HitVersion {
  const pieces = differs.slice(0, MOST_PIECES).map((piece) => shortened(piece, false))
  const last = pieces.pop()
  const isCut = differs.length > MOST_PIECES
  return {
    citation,
    ...(day !== undefined && { day }),
    differs: last === undefined ? [] : [...pieces, isCut ? shortened(last, true) : last],
  }
}

/** At most 80 characters, including the omission mark. */
function shortened(piece: string, isMarked: boolean): string {
  if (piece.length <= PIECE_CHARACTERS - (isMarked ? 2 : 0)) return isMarked && !piece.endsWith(CUT) ? `${piece} ${CUT}` : piece
  return `${cutText(piece, PIECE_CHARACTERS - 1)}${CUT}`
}
