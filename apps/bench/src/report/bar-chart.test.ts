import { expect, test } from 'vitest'
import { barChart } from './bar-chart.ts'

const chart = barChart({
  title: 'R&D',
  series: [
    { label: 'a', color: '#111' },
    { label: 'b', color: '#222' },
  ],
  groups: [
    { label: 'one <1>', values: [0.5, 1] },
    { label: 'two', values: [undefined, 0] },
  ],
})

test('one bar for each value that is there, half as long for half the value', () => {
  const widths = [...chart.matchAll(/width="([\d.]+)" height="8"/g)].map(([, width]) => Number(width))
  expect(widths).toEqual([240, 480, 0])
})

test('labels cannot break out of the document', () => {
  expect(chart).toContain('R&#38;D')
  expect(chart).toContain('one &#60;1&#62;')
  expect(chart).not.toContain('<1>')
})
