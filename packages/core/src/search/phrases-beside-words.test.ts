import { expect, test } from 'vitest'
import { openNotes, pathsFor, search } from '../../test/open-notes.ts'

const NOTES = {
  'row.md': 'The rollback plan is in the binder.',
  'apart.md': 'deploy, deploys, deployment: a plan to roll back, rollback, rollback of the plan, deploy',
  'other.md': 'deployments of the week, blue green',
  'ar-row.md': 'خطة التراجع في الدرج',
  'ar-apart.md': 'التراجع عن النشر ليس في خطة النشر',
  'he-row.md': 'תוכנית החזרה נמצאת בקלסר',
  'he-apart.md': 'החזרה של תוכנית פריסה פריסה',
  'zh-row.md': '回滚计划在文件夹里',
  'zh-apart.md': '部署部署计划，然后回滚',
  'ru-row.md': 'План отката лежит в папке.',
  'ru-apart.md': 'Деплой, деплои: план без отката, откат и план',
}

test.each([
  ['"rollback plan" deploy*', 'row.md'],
  ['deploy* "rollback plan"', 'row.md'],
  ['"rollback plan" deploy deployment deploys', 'row.md'],
  ['“rollback plan” deploy*', 'row.md'],
  ['"rollback plan" deploy -week', 'row.md'],
  ['"خطة التراجع" النشر', 'ar-row.md'],
  ['«خطة التراجع» النشر', 'ar-row.md'],
  ['"תוכנית החזרה" פריסה', 'he-row.md'],
  ['“回滚计划” 部署', 'zh-row.md'],
  ['「回滚计划」 部署', 'zh-row.md'],
  ['«план отката» деплой*', 'ru-row.md'],
  ['"план отката" деплой', 'ru-row.md'],
])('P33: beside other words the phrase of %s ranks first', async (query, path) => {
  const { memory } = await openNotes(NOTES)
  const reply = await search(memory, query)
  expect(reply.hits[0]?.path).toBe(path)
  expect(reply.degraded).toEqual([])
})

test.each([
  ['"plan rollback now" deploy*', '"plan rollback now"'],
  ['“deploy binder” week', '"deploy binder"'],
  ['"التراجع الدرج" النشر', '"التراجع الدرج"'],
  ['«отката план» деплой', '"отката план"'],
  ['「计划回滚」 部署', '"计划回滚"'],
  ['"binder plan" deploy -week', '"binder plan"'],
  ['"plan binder" "green blue" deploy', '"plan binder" or "green blue"'],
])('P33: that the phrase of %s could not be met is said', async (query, shown) => {
  const { memory } = await openNotes(NOTES)
  const { hits, degraded } = await search(memory, query)
  expect(hits.length).toBeGreaterThan(0)
  expect(degraded.map(({ code }) => code)).toEqual(['phrase-relaxed'])
  expect(degraded[0]?.message).toContain(shown)
})

test('P33: of several phrases places with all, else with some of them, are shown', async () => {
  const { memory } = await openNotes({ ...NOTES, 'both.md': 'rollback plan, blue green' })
  expect(await pathsFor(memory, '"rollback plan" "blue green" deploy')).toEqual(['both.md'])
  const { memory: without } = await openNotes(NOTES)
  const { hits, degraded } = await search(without, '"rollback plan" "blue green" deploy')
  expect(hits.map(({ path }) => path).sort()).toEqual(['other.md', 'row.md'])
  expect(degraded).toEqual([
    {
      code: 'phrase-relaxed',
      message: 'No place holds all of "rollback plan", "blue green": places with some of them are shown.',
    },
  ])
})

test('P33: a phrase alone stays a phrase, a question holds names, an open quote is text', async () => {
  const { memory } = await openNotes(NOTES)
  expect(await search(memory, '"plan binder"')).toMatchObject({ hits: [], degraded: [] })
  expect((await search(memory, 'where is the "plan binder"?')).degraded).toEqual([])
  expect((await search(memory, '"rollback plan deploy')).hits.length).toBeGreaterThan(1)
  expect(await search(memory, '"plan xylophone" zither')).toMatchObject({ degraded: [{ code: 'phrase-relaxed' }] })
  expect(await search(memory, '"xylophone zither" sitar')).toMatchObject({ hits: [], degraded: [] })
})

test('P33: names in guillemets lead, and what holds their words apart follows', async () => {
  const { memory } = await openNotes(NOTES)
  const paths = await pathsFor(memory, '«rollback plan» deploy')
  expect(paths[0]).toBe('row.md')
  expect(paths).toContain('apart.md')
})
