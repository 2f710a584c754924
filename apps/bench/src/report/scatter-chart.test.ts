import { expect, test } from 'vitest'
import { scatterChart, ticks } from './scatter-chart.ts'

test.each([
  [0, 5.3, [0, 2, 4, 6]],
  [0.553, 0.787, [0.5, 0.6, 0.7, 0.8]],
  [0, 0.04, [0, 0.01, 0.02, 0.03, 0.04]],
  [3, 3, [3, 3.5]],
])('from %d to %d there are round ticks that hold both', (least, greatest, expected) => {
  expect(ticks(least, greatest)).toEqual(expected)
})

const point = { color: '#111', x: 2, y: 0.4 }
const chart = scatterChart({
  title: 'R&D',
  xLabel: 'ms',
  yLabel: 'nDCG',
  points: [
    { ...point, label: 'a <1>' },
    { ...point, y: 1, label: 'b' },
    { ...point, x: 4, label: 'c' },
  ],
})

test('greater values stand further right and higher up', () => {
  const circles = [...chart.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)])
  expect(circles).toEqual([
    [260, 44],
    [260, 404],
    [460, 404],
  ])
})

test('labels of points at one height stand apart and cannot break out of the document', () => {
  const places = [...chart.matchAll(/<text x="504" y="([\d.]+)"[^>]*>([^<]*)</g)].map(([, y, text]) => [text, Number(y)])
  expect(places).toEqual([
    ['b', 44],
    ['a &#60;1&#62;', 387],
    ['c', 404],
  ])
  expect(chart).toContain('R&#38;D')
})
