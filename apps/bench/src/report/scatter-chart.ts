import { CHART_STYLE, escaped, heading } from './svg-text.ts'

export interface ScatterPoint {
  readonly label: string
  readonly x: number
  readonly y: number
  readonly color: string
}
export interface ScatterChart {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  readonly points: readonly ScatterPoint[]
}

const LEFT = 60
const WIDTH = 400
const TOP = 44
const HEIGHT = 360
/** Where the labels stand, beside the plot: points that lie close cannot carry their own. */
const LABELS = LEFT + WIDTH + 44
const LABEL_HEIGHT = 17
const LABEL_WIDTH = 200
const MOST_TICKS = 6

/** Round numbers from at most the least value to at least the greatest. */
export function ticks(least: number, greatest: number): readonly number[] {
  const rough = (greatest - least || 1) / (MOST_TICKS - 2)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const [first, last] = [Math.floor(least / step), Math.ceil(greatest / step)]
  // Steps are powers of ten times 1, 2 or 5: what is left over after ten places is the error of the product.
  return Array.from({ length: Math.max(1, last - first) + 1 }, (_, at) => Number(((first + at) * step).toFixed(10)))
}

interface Scale {
  readonly ticks: readonly number[]
  readonly place: (value: number) => number
}

function scale(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const marks = ticks(Math.min(...values), Math.max(...values))
  const [least = 0, greatest = 1] = [marks[0], marks.at(-1)]
  return { ticks: marks, place: (value) => from + ((value - least) / (greatest - least)) * (to - from) }
}

/** Heights of labels in the order of their points, each at its point or as near as those above leave room. */
function spread(heights: readonly number[]): readonly number[] {
  const placed: number[] = []
  for (const height of heights) placed.push(Math.max(height, (placed.at(-1) ?? -LABEL_HEIGHT) + LABEL_HEIGHT))
  let bottom = TOP + HEIGHT + LABEL_HEIGHT
  return placed
    .toReversed()
    .map((height) => (bottom = Math.min(height, bottom - LABEL_HEIGHT)))
    .toReversed()
}

const LINE = 'stroke="#888" stroke-opacity="0.25"'

function grid(x: Scale, y: Scale): string {
  const bottom = TOP + HEIGHT
  const columns = x.ticks.map((value) => {
    const at = x.place(value).toFixed(1)
    return `<line x1="${at}" y1="${TOP}" x2="${at}" y2="${bottom}" ${LINE}/><text x="${at}" y="${bottom + 16}" text-anchor="middle">${value}</text>`
  })
  const rows = y.ticks.map((value) => {
    const at = y.place(value).toFixed(1)
    return `<line x1="${LEFT}" y1="${at}" x2="${LEFT + WIDTH}" y2="${at}" ${LINE}/><text x="${LEFT - 8}" y="${at}" text-anchor="end" dominant-baseline="central">${value}</text>`
  })
  return [...columns, ...rows].join('\n')
}

function marks(points: readonly ScatterPoint[], x: Scale, y: Scale): string {
  const sorted = points.toSorted((left, right) => right.y - left.y)
  const heights = spread(sorted.map((point) => y.place(point.y)))
  return sorted
    .map((point, index) => {
      const [left, top] = [x.place(point.x).toFixed(1), y.place(point.y).toFixed(1)]
      const height = (heights[index] ?? 0).toFixed(1)
      return [
        `<line x1="${left}" y1="${top}" x2="${LABELS - 4}" y2="${height}" stroke="${point.color}" stroke-opacity="0.4"/>`,
        `<circle cx="${left}" cy="${top}" r="4" fill="${point.color}"/>`,
        `<text x="${LABELS}" y="${height}" dominant-baseline="central">${escaped(point.label)}</text>`,
      ].join('\n')
    })
    .join('\n')
}

/** Points with their names beside the plot, as a whole SVG document. */
export function scatterChart({ title, xLabel, yLabel, points }: ScatterChart): string {
  const x = scale([0, ...points.map((point) => point.x)], [LEFT, LEFT + WIDTH])
  const y = scale(
    points.map((point) => point.y),
    [TOP + HEIGHT, TOP],
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LABELS + LABEL_WIDTH}" height="${TOP + HEIGHT + 44}" ${CHART_STYLE}>
${heading(title, LEFT)}
${grid(x, y)}
<text x="${LEFT + WIDTH / 2}" y="${TOP + HEIGHT + 34}" text-anchor="middle">${escaped(xLabel)}</text>
<text x="${LEFT}" y="${TOP - 8}" text-anchor="end">${escaped(yLabel)}</text>
${marks(points, x, y)}
</svg>
`
}
