import { expect, test } from 'vitest'
import { hitsFor, openNotes, pathsFor } from '../../../test/open-notes.ts'
import { parseDocument } from '../parse-document.ts'

function isTemplate(path: string, text: string): boolean {
  return parseDocument({ source: 'memory', path }, { text }).marks.includes('template')
}

test.each([
  'Templates/Daily.md',
  '_templates/person.md',
  'vault/99 - Templates/deep/x.md',
  'templates\\x.md',
  'Vorlagen/Tag.md',
  'plantillas/x.md',
  'Modèles/x.md',
  'Mode\u0300les/x.md',
  'Шаблоны/день.md',
  '模板/日记.md',
  'テンプレート/日報.md',
  '템플릿/일지.md',
  'قوالب/يومية.md',
  'תבניות/יומן.md',
])('P13: a note in a folder of templates is marked: %s', (path) => {
  expect(isTemplate(path, 'A sentence without a single placeholder in it.')).toBe(true)
})

test.each(['templating/jinja.md', 'templates.md', 'docs/email-template-engine/x.md', 'contemplate/x.md', 'Normal/x.md'])(
  'P13: a folder or name that only resembles one is none: %s',
  (path) => {
    expect(isTemplate(path, 'How we render a page, step by step.')).toBe(false)
  },
)

const FORMS = {
  obsidian: '---\ndate: {{date}}\ntags: [daily]\n---\n# {{title}}\n\n## Tasks\n- [ ] \n\n## Notes\n- \n',
  templater: '---\ncreated: <% tp.file.creation_date() %>\n---\n# <% tp.file.title %>\n\nMood: <% tp.system.prompt("Mood?") %>\n',
  'template literal': '# ${title}\n\n- Date: ${date}\n- With: ${people.join(", ")}\n',
  letter: 'Dear [Your name],\n\n[Opening sentence]\n\n[What we ask for]\n\nRegards,\n[Sender]\n',
  prompts: '# {{date}}\n\n**Mood:** {{mood}}\n\n## What went well today?\n\n- \n\n## Log\n\n1. \n',
  blanks: '# Form\n\nName: ______\nDate: ______\n',
  russian: '# {{date}}\n\n## Задачи\n- [ ] \n\nНастроение: {{mood}}\n',
  arabic: '# {{date}}\n\nالمزاج: {{mood}}\n\n## المهام\n- [ ] \n',
  chinese: '# {{date}}\n\n心情：{{mood}}\n\n## 任务\n- [ ] \n',
  windows: '# {{title}}\r\n\r\nDate: {{date}}\r\n\r\n- \r\n',
}
test.each(Object.entries(FORMS))('P13: a note of mostly placeholders is marked wherever it lies: %s', (_, text) => {
  expect(isTemplate('notes/x.md', text)).toBe(true)
})

const REAL = {
  'a sentence about placeholders': '# Jinja\n\nUse {{ name }} to print a value, and {% if %} for conditions.\n',
  'placeholders in code':
    '# Snippets\n\n```js\nconst x = `${a}`\nrender("{{title}}")\n```\n\nThe helper prints `{{title}}` in bold.\n',
  'code alone': '# Loop\n\n```js\nfor (const x of {a}) { f(`${x}`) }\n```\n',
  'variables of a shell': 'HOST=${DB_HOST}\nUSER=${DB_USER}\n',
  'macros of Logseq': '- {{query (todo now)}}\n- {{embed ((6a1f))}}\n- {{renderer :todomaster}}\n',
  'shortcodes of Hugo': '{{< figure src="x.png" >}}\n{{% notice %}}\n',
  'cloze deletions': '{{c1::Paris}} is the capital of {{c2::France}}\n',
  'links and footnotes':
    '# Links\n\n- [[Moravec]]\n- [site](https://example.com)\n- [Foo][1]\n- [^1]\n\n[1]: https://example.com\n',
  'open tasks': '# Project\n\n- [ ] call the plumber\n- [ ] pay the rent\n- [x] buy paint\n- [ ] \n',
  'tags in brackets': '- [P0] The router must be replaced before May\n- [P1] Paint the door\n',
  'headings only': '# Project Alpha\n\n## Goals\n\n## Links\n',
  'a stub with an empty bullet': '# Huda\n\n- \n',
  'a filled form': '# Wifi\n\nName: kitab-5g\nPassword: on the fridge\n- \n',
  'one placeholder left in a written day':
    '# 2026-03-01\n\nMood: {{mood}}\n\nMet Huda about the lease. We agreed on May.\nPaid the plumber.\n',
  empty: '',
}
test.each(Object.entries(REAL))('P13: a real note is no template: %s', (_, text) => {
  expect(isTemplate('notes/x.md', text)).toBe(false)
})

test('P13: a day that nobody wrote in is a template; a stub of another name, and MEMORY.md, are not', () => {
  const untouched = '# 2026-03-01\n\n## Tasks\n- [ ] \n\n## Notes\n- \n'
  expect(isTemplate('memory/2026-03-01.md', untouched)).toBe(true)
  expect(isTemplate('memory/2026-03-01.md', `${untouched}- met Huda\n`)).toBe(false)
  expect(isTemplate('people/Huda.md', '## Links\n- \n## Notes\n- \n')).toBe(false)
  expect(isTemplate('MEMORY.md', '# {{name}}\n\n- {{fact}}\n')).toBe(false)
})

test('P13: long lines and long notes of braces are read in linear time', () => {
  const steps = [
    '{{'.repeat(50_000),
    '<%'.repeat(50_000),
    '${'.repeat(50_000),
    '[a'.repeat(50_000),
    `${' '.repeat(200)}\n`.repeat(80),
  ]
  for (const text of steps) expect(isTemplate('x.md', text)).toBe(false)
})

test('P13: a template ranks below every real note that matches, also when it is asked for by its name, and is found', async () => {
  const { memory } = await openNotes({
    'Templates/Daily.md': '# Daily\n\nDaily daily daily standup questions\n',
    'memory/2026-03-02.md': 'The daily standup was short.',
    'garden.md': 'watered, as is my daily habit, and then a long day of other things that have nothing to do with it',
  })
  for (const query of ['daily', 'Daily.md', 'Templates/Daily.md', 'daily standup', '"daily"']) {
    const hits = await hitsFor(memory, query)
    expect(hits.at(-1)?.path).toBe('Templates/Daily.md')
    expect(hits.length).toBeGreaterThan(1)
    expect(hits.at(-1)?.attributes?.marks).toContain('template')
    const scores = hits.map(({ score }) => score)
    expect(scores.toSorted((left, right) => right - left)).toEqual(scores)
  }
  expect(await pathsFor(memory, 'standup questions')).toContain('Templates/Daily.md')
})
