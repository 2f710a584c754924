import { expect, test } from 'vitest'
import { readPage } from './read-page.ts'

const PAGE = `# Page

Type \`mnemark index\`, and \`mnemark index\` again.

<!-- exits 1: nothing is there -->
\`\`\`sh
mnemark search nothing
\`\`\`

1. In a list:

   <!-- not run: downloads; tested by tooling/run.test.ts -->
   <!-- in ~/agent -->

   \`\`\`sh
   npm install x
     -y
   \`\`\`
`

test('blocks are read with their language, their line and what the comments above them say', () => {
  expect(readPage(PAGE).blocks).toEqual([
    { language: 'sh', text: 'mnemark search nothing', line: 6, exits: 1 },
    {
      language: 'sh',
      text: 'npm install x\n  -y',
      line: 15,
      notRun: { why: 'downloads', testedBy: 'tooling/run.test.ts' },
      folder: '~/agent',
    },
  ])
})

test('code spans are read once each, and none out of a block', () => {
  expect(readPage(PAGE).spans).toEqual(['mnemark index'])
})

test('a block without an end is an error that names its line', () => {
  expect(() => readPage('a\n```sh\nb')).toThrow('The block in line 2 does not end.')
})
