import { expect, test } from 'vitest'
import { chunkDocument } from '../chunk/chunk-document.ts'
import { embeddingInputText } from '../chunk/context.ts'
import { parseDocument } from '../document/parse-document.ts'

const INVISIBLE = [
  '\u200b',
  '\u00ad\u00ad',
  '\u200b\n\n\u200d\u200c',
  '\ufeff \u2060',
  '\u3164',
  '\u2800',
  '\u{e0041}\u{e0042}',
  '\u202a\u202c',
  '\ufe0f',
  '\u061c',
  '&nbsp;',
  '&#8203;&shy;',
  '- \u200b\n- \u00a0',
  '> \u200b',
  '| \u200b | \u200b |\n| --- | --- |\n| &nbsp; | |',
]

test.each(INVISIBLE)('P29: a note of nothing but %j is as blank', (text) => {
  for (const note of [text, `# \u200b\n\n${text}`, `---\ntags: [a]\n---\n${text}`, `# Shopping\n\n${text}`]) {
    const chunks = chunkDocument(parseDocument({ source: 'memory', path: 'a.md' }, { text: note }), { text: note })
    expect(chunks.map(({ isStub }) => isStub)).toEqual([true])
  }
})

test.each(INVISIBLE.slice(0, 12))('P29: %j has no embedding input under any heading', (text) => {
  expect(embeddingInputText('Title', ['Heading'], text)).toBe('')
})

test.each(['a', '会', '🚀', '١', '½', '&amp;', '&eacute;', 'ـ', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '\u200bword\u200b'])('%j is seen', (text) => {
  expect(embeddingInputText(undefined, [], text)).toBe(text)
})
