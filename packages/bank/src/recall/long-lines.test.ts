import { createMemory, documents } from '@mnemark/core'
import { quoteHash } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/store-memory'
import { expect, onTestFinished, test } from 'vitest'
import { bankAnnotator } from '../facts/bank-annotator.ts'
import { checkCitations } from '../packs/check-citations.ts'
import { createRecall } from './recall.ts'

const path = 'memory/2026-03-01.md'
const sentences = (word: string): string =>
  Array.from({ length: 300 }, (_, at) => `${word} ${at} speaks of item${at} and the weather.`).join(' ')
const first = 'The quarry opened with a brass band.'
const middle = 'The ferry of Nils was late near the lighthouse.'
const last = 'The violin was sold to a saffron merchant.'
const long = `${first} ${sentences('Sentence')} ${middle} ${sentences('Another')} ${last}`
const text = `# Day\n\n${long}\nShort ending about an apricot.\n- another line\n`

test.each([
  ['at the beginning', 'brass band quarry', first, 3],
  ['in the middle', 'ferry of Nils lighthouse', middle, 3],
  ['at the end', 'violin saffron merchant', last, 3],
  ['of a line behind it', 'apricot ending', 'Short ending about an apricot.', 4],
])(
  'a passage cut from a line that is longer than a chunk has the hash of the line it cites: %s',
  async (_where, question, said, line) => {
    const workspace = documents({ [path]: text })
    const annotators = [bankAnnotator()]
    const memory = await createMemory({ store: createInMemoryStore(), workspace, annotators, caller: { agentId: 'main' } })
    onTestFinished(() => memory.close())
    const [fact] = (await createRecall({ memory })({ text: question, limit: 1 })).facts
    const cited = { source: `${path}#L${line}-L${line}`, quoteHash: quoteHash(line === 3 ? long : said) }
    expect(fact).toMatchObject({ kind: 'note', content: said, ...cited })
    expect(await checkCitations([cited], { notes: workspace.source })).toMatchObject([{ status: 'same', now: cited }])
    workspace.put(path, text.replace('# Day', '# Day\nNew.'))
    expect(await checkCitations([cited], { notes: workspace.source })).toMatchObject([
      { status: 'moved', now: { source: `${path}#L${line + 1}-L${line + 1}` } },
    ])
  },
)
