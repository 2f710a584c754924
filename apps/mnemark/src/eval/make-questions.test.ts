import { createMemory } from '@mnemark/core'
import type { DocumentSource } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'
import { expect, test } from 'vitest'
import { makeQuestions } from './make-questions.ts'
import type { Question } from './question.ts'

async function questionsOf(files: Readonly<Record<string, string>>): Promise<readonly Question[]> {
  const source: DocumentSource = {
    id: 'memory',
    async *list() {
      for (const [path, text] of Object.entries(files)) yield { source: 'memory', path, size: text.length, modifiedAtMs: 1 }
    },
    read: async ({ path }) => ({ text: files[path] ?? '' }),
  }
  const store = createInMemoryStore()
  const memory = await createMemory({ store, sources: [source], reader: { read: () => Promise.reject(new Error('not read')) } })
  await memory.sync()
  const snapshot = await store.snapshot()
  try {
    return await makeQuestions(snapshot)
  } finally {
    snapshot.release()
    await memory.close()
  }
}

test('headings, names and days become questions, with the places of their answers', async () => {
  const questions = await questionsOf({
    'memory/2026-03-14.md': '# Log\n\n## Router in the attic\n\nI met Marta Kowalska, who knows the Blue Heron Café.\n',
    'notes/b.md': '# Garden plans\n\nRoses by the wall.\n',
  })
  const asked = questions.map(({ from, text, gold }) => [from, text, gold[0]?.path])
  expect(asked).toContainEqual(['heading', 'Router in the attic', 'memory/2026-03-14.md'])
  expect(asked).toContainEqual(['heading', 'Garden plans', 'notes/b.md'])
  expect(asked).toContainEqual(['name', 'Marta Kowalska', 'memory/2026-03-14.md'])
  expect(asked).toContainEqual(['name', 'Blue Heron Café', 'memory/2026-03-14.md'])
  expect(asked).toContainEqual(['date', 'March 14, 2026', 'memory/2026-03-14.md'])
  expect(questions.find(({ from }) => from === 'date')?.gold).toEqual([{ path: 'memory/2026-03-14.md' }])
  expect(questions.find(({ text }) => text === 'Garden plans')?.gold).toEqual([{ path: 'notes/b.md', lines: [1, 3] }])
})

test('what stands in many notes asks for none of them', async () => {
  const files = Object.fromEntries([1, 2, 3, 4].map((number) => [`memory/note-${number}.md`, '# Open questions\n\ntext\n']))
  expect(await questionsOf(files)).toEqual([])
})

test('scripts without capitals are asked for by their longest words, and grouped by script', async () => {
  const questions = await questionsOf({
    'a.md': '# خطة الإطلاق\n\nتم تأجيل الاجتماع مع المهندسين.\n',
    'b.md': '# 東京の会議室\n\n会議は金曜日に変わりました。\n',
    'memory/2026-05-02.md': 'приехал в Санкт Петербург\n\nвчера встретил Ивана Петрова, он рад\n',
  })
  const languages = new Set(questions.map(({ language }) => language))
  expect(languages).toEqual(new Set(['arabic', 'kana', 'cyrillic']))
  expect(questions.filter(({ language }) => language === 'arabic').map(({ from }) => from)).toEqual(['heading', 'name', 'name'])
  expect(questions.map(({ text }) => text)).toContain('Ивана Петрова')
  // Russian dates are not read in queries, so no such question is made.
  expect(questions.filter(({ from }) => from === 'date')).toEqual([])
})

test('of many, fifty of a kind and script are taken, from all over and the same each time', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [`n/${String(index).padStart(3, '0')}.md`, `# Heading number ${index}x\n\ntext\n`]),
  )
  const first = await questionsOf(files)
  expect(first).toHaveLength(50)
  expect(await questionsOf(files)).toEqual(first)
  expect(Number(first.at(-1)?.text.match(/\d+/)?.[0])).toBeGreaterThan(100)
})
