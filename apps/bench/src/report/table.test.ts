import { expect, test } from 'vitest'
import { markdownTable, plainTable } from './table.ts'

const table = {
  columns: [{ title: 'set' }, { title: 'nDCG@10', isNumber: true }, { title: 'note' }],
  rows: [
    ['xquad ar', '.96', ''],
    ['a|b', '.1'],
  ],
}

test('columns are as wide as their widest cell, numbers stand right, no blanks at line ends', () => {
  expect(plainTable(table)).toBe(['set       nDCG@10  note', 'xquad ar      .96', 'a|b            .1'].join('\n'))
})

test('Markdown keeps bars inside cells and fills missing ones', () => {
  expect(markdownTable(table)).toBe(
    ['| set | nDCG@10 | note |', '| --- | ---: | --- |', '| xquad ar | .96 |  |', '| a\\|b | .1 |  |'].join('\n'),
  )
})
