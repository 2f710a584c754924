import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

const SUBJECTS = [
  'router vlan',
  'budget invoice',
  'garden lantern',
  '会议 数据库',
  'موعد المكتبة',
  'פגישה תקציב',
  'नमस्ते बजट',
  'ประชุม',
]

function notes(change: (text: string) => string): Record<string, string> {
  const texts = Array.from({ length: 24 }, (_, at) =>
    change(`${SUBJECTS[at % SUBJECTS.length]} number ${'abcdefgh'[at % 8]}${at}word`),
  )
  return Object.fromEntries(texts.map((text, at) => [`memory/${at}.md`, `${text}\n`]))
}

const indexOf = (box: Sandbox): string => join(box.workspace, '.mnemark', 'main.sqlite')

/** Gives an index the keyword segments of another one: whole rows with right checksums, which speak of other texts. */
function swapSegments(box: Sandbox, other: Sandbox): void {
  const database = new Database(indexOf(box))
  database.exec(`ATTACH '${indexOf(other)}' AS other; DELETE FROM segment_blocks; DELETE FROM segments;
    INSERT INTO segments SELECT * FROM other.segments; INSERT INTO segment_blocks SELECT * FROM other.segment_blocks`)
  database.close()
}

test('P100: doctor finds an index whose searches differ from counting everything, and --fix mends it', () => {
  const box = new Sandbox(notes((text) => text))
  const other = new Sandbox(notes((text) => text.replace(/router|budget|会议|number/u, 'lantern lantern')))
  for (const each of [box, other]) expect(each.run(['index']).code).toBe(0)
  expect(box.run(['doctor']).stdout).toMatch(/ok {7}index: .*; \d+ searches agree with counting everything/)

  swapSegments(box, other)
  const { code, stdout } = box.run(['doctor'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/cannot be found by all of their words/)
  expect(stdout).toMatch(/Run mnemark doctor --fix/)
  const { document } = box.json(['doctor'])
  expect(JSON.stringify(document)).toMatch(/cannot be found by all of their words/)
  // Not words of notes: what is printed may go into a report.
  expect(stdout + JSON.stringify(document)).not.toMatch(/lantern|router|a0word|会议/)

  expect(box.run(['doctor', '--fix']).code).toBe(0)
  expect(box.run(['doctor']).stdout).toMatch(/searches agree with counting everything/)
  expect(box.run(['search', 'router']).stdout).toMatch(/memory\/0\.md/)
})

test('P100: a lost tombstone is found: its chunk stands in the index, and nowhere else', () => {
  const box = new Sandbox(notes((text) => text))
  box.run(['index'])
  rmSync(join(box.workspace, 'memory/3.md'))
  box.run(['index'])
  const database = new Database(indexOf(box))
  database.exec(`DELETE FROM segments WHERE name LIKE 't%';
    UPDATE counters SET value = (SELECT count(*) FROM segments WHERE state = 'live') WHERE name = 'segments'`)
  database.close()
  expect(box.run(['doctor']).stdout).toMatch(/the keyword index counts 24 chunks where there are 23/)
  expect(box.run(['doctor', '--fix']).code).toBe(0)
  expect(box.run(['doctor']).code).toBe(0)
})

test('P100: an index with dead chunks is healthy, before and after a merge', () => {
  const box = new Sandbox(notes((text) => text))
  box.run(['index'])
  for (const at of [1, 2, 3, 4]) rmSync(join(box.workspace, `memory/${at}.md`))
  box.run(['index'])
  expect(box.run(['doctor']).stdout).toMatch(/searches agree with counting everything/)
  expect(box.run(['search', 'routerx']).stdout).toMatch(/memory\/(0|8|16)\.md/)
})
