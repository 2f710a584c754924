import { CHART_STYLE, escaped, heading } from './svg-text.ts'

/**
 * Horizontal bars in groups, as SVG text. Written by hand: chart libraries either need a DOM or weigh more than everything
 * else here together.
 */
export interface BarGroup {
  readonly label: string
  /** One value from 0 to 1 for each series; undefined leaves its place empty. */
  readonly values: readonly (number | undefined)[]
}
export interface BarChart {
  readonly title: string
  readonly series: readonly { readonly label: string; readonly color: string }[]
  readonly groups: readonly BarGroup[]
}

const LEFT = 190
const WIDTH = 480
const BAR = 9
const GAP = 10
const TOP = 64

function legend(series: BarChart['series']): string {
  return series
    .map(({ label, color }, index) => {
      const x = LEFT + index * 160
      return `<rect x="${x}" y="34" width="12" height="12" fill="${color}"/><text x="${x + 18}" y="44">${escaped(label)}</text>`
    })
    .join('\n')
}

function grid(bottom: number): string {
  return [0, 0.2, 0.4, 0.6, 0.8, 1]
    .map((value) => {
      const x = LEFT + value * WIDTH
      const line = `<line x1="${x}" y1="${TOP - 6}" x2="${x}" y2="${bottom}" stroke="#888" stroke-opacity="0.25"/>`
      return `${line}<text x="${x}" y="${bottom + 16}" text-anchor="middle">${value}</text>`
    })
    .join('\n')
}

function bars({ label, values }: BarGroup, top: number, series: BarChart['series']): string {
  const middle = top + (values.length * BAR) / 2
  const name = `<text x="${LEFT - 10}" y="${middle}" text-anchor="end" dominant-baseline="central">${escaped(label)}</text>`
  const drawn = values.map((value, index) => {
    if (value === undefined) return ''
    const y = top + index * BAR
    const width = (Math.min(1, Math.max(0, value)) * WIDTH).toFixed(1)
    const tip = `${escaped(`${label}, ${series[index]?.label ?? ''}: ${value.toFixed(3)}`)}`
    return `<rect x="${LEFT}" y="${y}" width="${width}" height="${BAR - 1}" fill="${series[index]?.color ?? '#888'}"><title>${tip}</title></rect>`
  })
  return [name, ...drawn].join('\n')
}

/** A whole SVG document. */
export function barChart({ title, series, groups }: BarChart): string {
  const step = series.length * BAR + GAP
  const bottom = TOP + groups.length * step
  const size = `width="${LEFT + WIDTH + 30}" height="${bottom + 28}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${CHART_STYLE}>
${heading(title, LEFT)}
${legend(series)}
${grid(bottom)}
${groups.map((group, index) => bars(group, TOP + index * step, series)).join('\n')}
</svg>
`
}
