import type { HitExplanation, SearchHit } from '@mnemark/spec'
import { isolate, printable } from './isolate.ts'
import type { Paint } from './paint.ts'

const INDENT = '   '

/** One hit for people: where it is, how well it fits, and the text with what matched set off. */
export function formatHit(hit: SearchHit, position: number, paint: Paint): string {
  const place = `${position}. ${paint.bold(isolate(printable(hit.citation)))}  ${paint.dim(hit.score.toFixed(2))}`
  const repeats = hit.repeats === undefined ? [] : [paint.dim(`${INDENT}${repeatsText(hit.repeats)}`)]
  const copies =
    hit.copies === undefined || hit.copies.length === 0
      ? []
      : [paint.dim(`${INDENT}copies: ${hit.copies.map(isolatePath).join(', ')}`)]
  const explanation = hit.explain === undefined ? [] : formatExplanation(hit.explain).map((line) => paint.dim(INDENT + line))
  return [place, ...snippetLines(hit, paint).map((line) => INDENT + line), ...repeats, ...copies, ...explanation].join('\n')
}

function isolatePath(path: string): string {
  return isolate(printable(path))
}

function repeatsText(repeats: NonNullable<SearchHit['repeats']>): string {
  return `said ${repeats.count} times, first in ${isolatePath(repeats.first)}, last in ${isolatePath(repeats.last)}`
}

/** The snippet line by line: each is its own paragraph, so each is isolated by itself. */
function snippetLines(hit: SearchHit, paint: Paint): readonly string[] {
  const text = printable(withoutSource(hit))
  const lines: string[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const painted = paintRanges(line, start, hit.highlights, paint)
    if (line.trim() !== '') lines.push(isolate(painted))
    start += line.length + 1
  }
  return lines
}

/** The citation stands above the snippet already. */
function withoutSource(hit: SearchHit): string {
  const source = `Source: ${hit.citation}`
  return hit.snippet.endsWith(source) ? hit.snippet.slice(0, -source.length) : hit.snippet
}

/** `line` begins at `offset` of the text that `ranges` count in. */
function paintRanges(line: string, offset: number, ranges: SearchHit['highlights'], paint: Paint): string {
  let painted = ''
  let done = 0
  for (const [start, end] of ranges) {
    const from = Math.max(start - offset, done)
    const to = Math.min(end - offset, line.length)
    if (from >= to) continue
    painted += line.slice(done, from) + paint.highlight(line.slice(from, to))
    done = to
  }
  return painted + line.slice(done)
}

/** Where a score comes from, one line for each stage that had a say. */
export function formatExplanation(explanation: HitExplanation): readonly string[] {
  const { keywords, path, vectors, fused, decay, rerank, mmr } = explanation
  const lines: string[] = []
  if (keywords !== undefined) {
    const terms = keywords.terms.map(({ term, stream, part }) => `${isolate(printable(term))} (${stream}) ${part.toFixed(2)}`)
    lines.push(
      `keywords   ${keywords.score.toFixed(3)}  rank ${keywords.rank}, BM25 ${keywords.bm25.toFixed(2)} = ${terms.join(' + ')}`,
    )
  }
  if (path !== undefined) lines.push(`path       rank ${path.rank}, ${path.match} match`)
  if (vectors !== undefined) lines.push(`vectors    ${vectors.similarity.toFixed(3)}  rank ${vectors.rank}`)
  lines.push(`together   ${fused.toFixed(3)}`)
  if (decay !== undefined) {
    lines.push(`decay      × ${decay.factor.toFixed(3)}  dated ${decay.day} by ${decay.reason}, ${decay.ageDays} days old`)
  }
  if (rerank !== undefined) lines.push(`rerank     ${rerank.score.toFixed(3)}`)
  if (mmr !== undefined) lines.push(`diversity  ${mmr.value.toFixed(3)}  likeness to the hits above ${mmr.similarity.toFixed(2)}`)
  return lines
}
