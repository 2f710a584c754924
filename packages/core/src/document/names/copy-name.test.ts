import { expect, test } from 'vitest'
import { originalBeside, possibleOriginals, withoutConflict } from './copy-name.ts'

const COPIES = [
  // Dropbox, ownCloud, Nextcloud, Obsidian Sync.
  'Plan (conflicted copy 2026-03-01)',
  "Plan (Maria's conflicted copy 2026-03-01)",
  'Plan (Conflicted copy laptop 202603011234)',
  'Plan (MacBook (work) conflicted copy 2026-03-01 101112)',
  'Plan (Case Conflict 1)',
  'Plan (Selective Sync Conflict)',
  'Plan (In Konflikt stehende Kopie von PC 2026-03-01)',
  'Plan (Copie en conflit de PC 2026-03-01)',
  'Plan (Copia en conflicto de PC 2026-03-01)',
  'Plan (Copia in conflitto di PC 2026-03-01)',
  'Plan (Cópia em conflito de PC 2026-03-01)',
  'Plan (Kopia powodująca konflikt PC 2026-03-01)',
  'Plan (Конфликтующая копия PC 2026-03-01)',
  'Plan (Конфліктна копія PC 2026-03-01)',
  'Plan (PC の競合コピー 2026-03-01)',
  'Plan (PC 的冲突副本 2026-03-01)',
  'Plan（PC 的衝突複本 2026-03-01）',
  'Plan (PC의 충돌 사본 2026-03-01)',
  'Plan (نسخة متعارضة من PC 2026-03-01)',
  'Plan (עותק מתנגש 2026-03-01)',
  'Plan (PC çakışan kopyası 2026-03-01)',
  'Plan (สำเนาที่ขัดแย้งกัน 2026-03-01)',
  'Plan_conflict-20260301-101112',
  // Syncthing, Resilio, Seafile, Synology, git.
  'Plan.sync-conflict-20260301-101112-ABCDEFG',
  'Plan.sync-conflict-20260301-101112',
  'Plan~20260301-101112',
  'Plan.Conflict',
  'Plan (SFConflict maria@example.com 2026-03-01-10-11-12)',
  'Plan_DESKTOP-AB12CD3_Mar-01-101112-2026_Conflict',
  'Plan_LOCAL_4711',
  // OneDrive, Google Drive, iCloud, browsers and file managers.
  'Plan-DESKTOP-AB12CD3',
  'Plan-Marias-MacBook-Pro',
  'Plan (1)',
  'Plan(2)',
  'Plan（3）',
  'Plan 2',
  'Plan (1) (1)',
  'Plan copy',
  'Plan copy 3',
  'Plan - Copy',
  'Plan - Copy (2)',
  'Plan - Kopie',
  'Plan – Kopie',
  'Plan (copy)',
  'Plan (3rd copy)',
  'Plan のコピー',
  'Plan的副本',
  'Plan 副本',
  'Plan - 복사본',
  'Plan - نسخة',
  'Plan - עותק',
  'Plan — копия',
  'Copy of Plan',
  'Copy (2) of Plan',
  'Kopie von Plan',
  'Copie de Plan',
  'Cópia de Plan',
  'نسخة من Plan',
  'Копия Plan',
]

test.each(COPIES)('P44: %s is a copy where Plan stands beside, and only there', (name) => {
  const has = (path: string): boolean => path === 'notes/Plan.md'
  expect(originalBeside(`notes/${name}.md`, has)).toBe('notes/Plan.md')
  expect(possibleOriginals(`notes/${name}.md`)).toContain('notes/Plan.md')
  expect(originalBeside(`other/${name}.md`, has)).toBeUndefined()
  expect(originalBeside(`notes/${name}.markdown`, has)).toBeUndefined()
})

test('P44: names of other scripts, decomposed ones, and the daily log', () => {
  const beside = (original: string, copy: string): string | undefined =>
    originalBeside(`${copy}.md`, (path) => path === `${original}.md`.normalize('NFC'))
  for (const name of ['会议', 'الاجتماع', 'פגישה', 'बैठक', 'การประชุม', '2026-03-01', 'Café'.normalize('NFD')]) {
    for (const end of [' (1)', ' 2', ' (conflicted copy 2026-04-05)', '.sync-conflict-20260405-101112-ABCDEFG'])
      expect(beside(name, name + end), `${name}${end}`).toBe(`${name}.md`.normalize('NFC'))
  }
})

test('P44: notes of a series and innocent names are no copies', () => {
  const all = [
    'Chapter',
    'Chapter 1',
    'Chapter 2',
    'Area',
    'Area 51',
    'photo',
    'photocopy',
    'Notes',
    'Notes (Oslo)',
    'Middle East',
  ]
  const has = (path: string): boolean => all.includes(path.replace('.md', ''))
  const copies = [...all, 'Middle East (conflict 2023)', 'Notes (2026)', 'Notes (war and conflict)', 'Notes-2'].filter(
    (name) => originalBeside(`${name}.md`, has) !== undefined,
  )
  expect(copies).toEqual([])
})

test('P44: the day of a conflict is taken out of the path, other days stay', () => {
  expect(withoutConflict('a/Plan (conflicted copy 2026-03-01).md')).toBe('a/Plan.md')
  expect(withoutConflict('2026-02-01 (conflicted copy 2026-03-01).md')).toBe('2026-02-01.md')
  expect(withoutConflict('Plan.sync-conflict-20260301-101112-ABCDEFG.md')).toBe('Plan.md')
  expect(withoutConflict('Plan (2026-03-01).md')).toBe('Plan (2026-03-01).md')
  expect(withoutConflict('Plan (1).md')).toBe('Plan (1).md')
})

test('a long name of brackets or words is read in steps that grow with it', () => {
  for (const part of ['(', ')', ' copy', ' (1)', 'の']) expect(possibleOriginals(`${part.repeat(100_000)}.md`)).toEqual([])
})
