import { openAIWire, startProtocolServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { jsonBeside } from '../harness/run-beside.ts'

const NOTES = {
  'MEMORY.md': '# Memory\n\n## Router in the attic\n\nIts password hangs on the fridge.\n',
  'memory/2026-03-14.md': '# Saturday\n\nMet with Marta Kowalska about the roof.\n',
  'memory/خطة.md': '# خطة الإطلاق\n\nتم تأجيل الاجتماع.\n',
}

test('one’s own notes are measured without a question, a key or a model', () => {
  const box = new Sandbox(NOTES)
  const { code, document } = box.json(['eval'])
  expect(code).toBe(0)
  expect(document.byKind).toMatchObject({ heading: 3, name: expect.any(Number), date: 1 })
  expect(Object.keys(document.byLanguage ?? {}).sort()).toEqual(['arabic', 'latin'])
  expect(document.settings?.['0']).toMatchObject({ setting: 'as configured', modes: { keywords: document.questions } })
  expect(Number(document.settings?.['0']?.all?.recallAt10)).toBeGreaterThan(0.9)
  const words = box.run(['eval']).stdout
  expect(words).toMatch(/recall@1 +recall@5 +recall@10 +MRR@10 +nDCG@10/)
  expect(words).toMatch(/^keywords +[01]\.\d{3}/m)
})

test('questions of a file are asked as they are, and what is not found is named', () => {
  const box = new Sandbox(NOTES)
  box.write(
    '../questions.json5',
    `[
    { question: 'fridge password', gold: 'MEMORY.md#L3-L5' },
    { question: 'who repairs the roof', gold: ['memory/2026-03-14.md'], language: 'English' },
    { question: 'zeppelin', gold: 'memory/absent.md' },
  ]`,
  )
  const { code, document } = box.json(['eval', '--questions', '../questions.json5'])
  expect(code).toBe(0)
  expect(document).toMatchObject({ questions: 3, byKind: { given: 3 }, byLanguage: { latin: 2, English: 1 } })
  expect(document.settings?.['0']).toMatchObject({ missed: ['zeppelin'], byLanguage: { English: { recallAt5: 1 } } })
})

test('a wrong file of questions, and notes without a question, are told', () => {
  const box = new Sandbox({ 'a.md': 'x\n' })
  expect(box.json(['eval'])).toMatchObject({ code: 1, document: { questions: 0 } })
  for (const [text, message] of [
    ['[{ question: "x" }]', /0\.gold is missing/],
    ['[]', /at least one question/],
    ['[{ question: " ", gold: "a" }]', /0\.question is not a text/],
    ['[{', /not JSON5/],
  ] as const) {
    box.write('q.json5', text)
    const { code, document } = box.json(['eval', '--questions', 'q.json5'])
    expect([code, document.error?.message]).toEqual([2, expect.stringMatching(message)])
  }
  expect(box.run(['eval', '--questions', 'absent.json5']).code).toBe(2)
})

test('with a provider both fusions stand beside keywords', async () => {
  await using server = await startProtocolServer(openAIWire, { apiKey: 'sk-key-of-the-test-0123456789' })
  const box = new Sandbox(NOTES)
  const remote = { baseUrl: server.baseUrl, apiKey: '${THE_KEY}' }
  const memorySearch = { provider: 'openai', outputDimensionality: 16, remote }
  box.configure(JSON.stringify({ agents: { defaults: { memorySearch } } }))
  const { document } = await jsonBeside(box, ['eval'], { THE_KEY: 'sk-key-of-the-test-0123456789' })
  const settings = Object.values(document.settings ?? {})
  expect(settings.map((each) => each?.setting)).toEqual(['as configured', 'keywords', 'weighted', 'rrf', 'mmr', 'decay'])
  expect(settings[0]?.modes).toEqual({ hybrid: document.questions })
  expect(settings[1]?.modes).toEqual({ keywords: document.questions })
})
