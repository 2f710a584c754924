import { sha256 } from '@mnemark/spec'
import { type BlockOptions, withoutNumbers } from './managed-block.ts'

/** One bullet of a block. */
export interface BlockItem {
  /** The id at the end of its line: of the oldest fact that it says. */
  readonly id: string
  /** Ids of all facts that it says. */
  readonly facts: readonly string[]
  /** The bullet, and lines indented below it. */
  readonly lines: readonly string[]
}

export interface BlockSection {
  /** Shown as a line in bold letters; absent where the page has one kind of items. */
  readonly title?: string | undefined
  readonly items: readonly BlockItem[]
  /** A sentence behind the items. */
  readonly remark?: string | undefined
}

/** A body, and what its closing marker keeps of it, so that an edited block tells which lines are whose. */
export interface BlockContent {
  readonly body: string
  readonly closing: Readonly<Record<string, string>>
}

export function blockContent(sections: readonly BlockSection[], options: BlockOptions = {}): BlockContent {
  const shown = sections.filter(({ items, remark }) => items.length > 0 || remark !== undefined)
  const lines = shown.flatMap(({ title, items, remark }, at) => [
    ...(at > 0 ? [''] : []),
    ...(title === undefined ? [] : [`**${title}**`, '']),
    ...items.flatMap((item) => item.lines),
    ...(remark === undefined ? [] : ['', remark]),
  ])
  const ids = shown.flatMap(({ items }) => items.map(({ id }) => shortHash(id)))
  const written = lines.filter((line) => line !== '').map((line) => lineHash(line, options))
  return {
    body: lines.join('\n'),
    closing: lines.length === 0 ? {} : { ids: withChecksum(ids), lines: withChecksum(written) },
  }
}

/** The lines that were written, as the closing marker keeps them; undefined where somebody changed the marker. */
export interface WrittenContent {
  /** Whether a bullet with one of these ids was written. */
  readonly held: (ids: readonly string[]) => boolean
  /** Whether this line was written, as it is. */
  readonly wrote: (line: string) => boolean
}

export function writtenContent(
  attributes: Readonly<Record<string, string>>,
  options: BlockOptions = {},
): WrittenContent | undefined {
  const ids = hashesOf(attributes['ids'])
  const lines = hashesOf(attributes['lines'])
  if (ids === undefined || lines === undefined) return undefined
  return { held: (some) => some.some((id) => ids.has(shortHash(id))), wrote: (line) => lines.has(lineHash(line, options)) }
}

const LENGTH = 6

function lineHash(line: string, { ignoresNumbers }: BlockOptions): string {
  return shortHash(ignoresNumbers === true ? withoutNumbers(line.trimEnd()) : line.trimEnd())
}

/** Six characters of base32. */
function shortHash(text: string): string {
  return (Number.parseInt(sha256(text).slice(0, 8), 16) >>> 2).toString(32).padStart(LENGTH, '0')
}

function withChecksum(hashes: readonly string[]): string {
  const list = hashes.join('')
  return list + shortHash(list)
}

function hashesOf(value: string | undefined): ReadonlySet<string> | undefined {
  if (value === undefined || value.length % LENGTH !== 0 || value === '') return undefined
  const list = value.slice(0, -LENGTH)
  if (withChecksum([list]) !== value) return undefined
  return new Set(list.match(/.{6}/g) ?? [])
}
