import { createRandom } from '../speed/notes/random.ts'
import { NoteMaker } from '../speed/notes/note-maker.ts'
import { type Script, WordModel } from '../speed/notes/word-model.ts'
import type { Note } from '../quality/tasks/task.ts'

/** How a note or section is asked for. */
export type NameKind = 'file' | 'title' | 'alias' | 'first heading' | 'heading' | 'one word'
export const NAME_KINDS: readonly NameKind[] = ['file', 'title', 'alias', 'first heading', 'heading', 'one word']

export interface NameQuestion {
  readonly text: string
  readonly kind: NameKind
  readonly path: string
  /** The expected snippet: the first line under the name. */
  readonly answer: string
}
export interface NamedVault {
  readonly name: string
  readonly language: string
  readonly notes: readonly Note[]
  readonly questions: readonly NameQuestion[]
}

const SCRIPT_NAMES: Readonly<Record<Script, string>> = { en: 'English', ru: 'Russian', ar: 'Arabic', zh: 'Chinese' }
/** Real sentences, because languages are told apart by them. */
const SENTENCES: Readonly<Record<Script, string>> = {
  en: 'This page says how it is turned on in the settings, and what has to be done when the service does not answer.',
  ru: 'На этой странице сказано, как это включить в настройках и что делать, если служба не отвечает.',
  ar: 'تشرح هذه الصفحة كيف يتم تفعيله في الإعدادات وما الذي يجب فعله عندما لا تجيب الخدمة.',
  zh: '本页说明如何在设置中启用它，以及当服务没有响应时应该怎么做。',
}
const KINDS = ['file', 'title', 'alias', 'first heading', 'heading', 'page'] as const
type MadeKind = (typeof KINDS)[number]
const OTHERS: Readonly<Record<Script, readonly Script[]>> = {
  en: ['ru', 'ar', 'zh'],
  ru: ['en', 'ar', 'zh'],
  ar: ['en', 'ru', 'zh'],
  zh: ['en', 'ru', 'ar'],
}
const SEED = 20_261_130
const LINKS_A_PAGE = 25
const LOGS = 60
const MENTIONS_A_LOG = 8

interface Named {
  readonly name: string
  readonly kind: MadeKind
  readonly notes: readonly Note[]
  /** The one of them that is so called. */
  readonly path: string
  readonly answer: string
}

/** Names of two or three rare words, no two alike. */
function makeNames(script: Script, count: number): readonly string[] {
  const names = new Set<string>()
  for (let number = 0; names.size < count; number += 1) {
    const random = createRandom(SEED + number)
    const words = new WordModel(script, random, 0)
    const rare = words.words(60).filter((word) => word.length > (script === 'zh' ? 1 : 4))
    const chosen = rare.slice(0, script === 'zh' ? 3 : 2 + (number % 2))
    const joined = chosen.join(script === 'zh' ? '' : ' ')
    names.add(joined.charAt(0).toUpperCase() + joined.slice(1))
  }
  return [...names]
}

function makeNamed(script: Script, kind: MadeKind, name: string, number: number): Named {
  const body = new NoteMaker(script, SEED).note(number).text.split('\n').slice(2)
  const answer = body.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  const rest = body.slice(body.indexOf(answer) + 1)
  const lines = [answer, ...rest].join('\n')
  const one = (path: string, text: string): Named => ({ name, kind, path, answer, notes: [{ path, text }] })
  if (kind === 'file') return one(`notes/${name}.md`, lines)
  if (kind === 'title') return one(`notes/t${number}.md`, `---\ntitle: "${name}"\n---\n${lines}`)
  if (kind === 'alias') return one(`notes/a${number}.md`, `---\naliases: ["A${number}", "${name}"]\n---\n${lines}`)
  if (kind === 'first heading') return one(`notes/h${number}.md`, `# ${name}\n\n${lines}`)
  if (kind === 'heading') return one(`notes/s${number}.md`, `# N${number}\n\n${rest.join('\n')}\n\n## ${name}\n\n${lines}`)
  const page = (language: Script): Note => ({
    path: `docs/${language}/p${number}.md`,
    text: `# ${name}\n\n${SENTENCES[language]}\n\n${`${SENTENCES[language]}\n`.repeat(30)}\n## ${number}\n\n${name}: ${SENTENCES[language]}\n`,
  })
  const own = page(script)
  return { name, kind, path: own.path, answer: SENTENCES[script], notes: [own, ...OTHERS[script].map(page)] }
}

/** Pages of links and daily logs: they hold the names, and none of them is so called. */
function mentions(script: Script, names: readonly string[]): readonly Note[] {
  const notes: Note[] = []
  for (let from = 0; from < names.length; from += LINKS_A_PAGE) {
    const links = names.slice(from, from + LINKS_A_PAGE).map((name) => `- [[${name}]]`)
    notes.push({ path: `index/${from}.md`, text: `# ${from}\n\n${links.join('\n')}\n` })
  }
  const maker = new NoteMaker(script, SEED + 1)
  for (let log = 0; log < LOGS; log += 1) {
    const random = createRandom(SEED + 1_000 + log)
    const said = Array.from({ length: MENTIONS_A_LOG }, () => `- ${names[Math.floor(random() * names.length)]}`)
    const day = new Date(Date.UTC(2023, 0, 1 + log)).toISOString().slice(0, 10)
    notes.push({ path: `memory/${day}.md`, text: `# ${day}\n\n${said.join('\n')}\n\n${maker.note(log).text}` })
  }
  return notes
}

function templates(names: readonly string[]): readonly Note[] {
  return names.map((name) => ({
    path: `Templates/${name}.md`,
    text: `# {{title}}\n\n${name}: {{date}}\n\n## ${name}\n\n- \n`,
  }))
}

/** Another spelling: capitals, other separators; scripts without case only get blanks. */
function respelled(name: string, number: number): string {
  return [name, name.toUpperCase(), name.toLowerCase(), name.replaceAll(' ', '-'), ` ${name} `][number % 5] ?? name
}

/** A word of the name that no other name holds. */
function distinctiveWord(name: string, names: readonly string[], script: Script): string | undefined {
  const words = script === 'zh' ? [name.slice(0, 2), name.slice(2, 4)] : name.split(' ')
  return words.find((word) => !names.some((other) => other !== name && other.toLowerCase().includes(word.toLowerCase())))
}

/** A vault in one script: notes called something by each kind of name, notes that mention them, translations and templates. */
export function makeVault(script: Script, perKind: number): NamedVault {
  const names = makeNames(script, perKind * KINDS.length)
  const named = names.map((name, number) => makeNamed(script, KINDS[number % KINDS.length] ?? 'file', name, number))
  const questions = named.flatMap(({ name, kind, path, answer }, number): NameQuestion[] => {
    const whole: NameQuestion = { text: respelled(name, number), kind: kind === 'page' ? 'first heading' : kind, path, answer }
    const word = kind === 'heading' ? undefined : distinctiveWord(name, names, script)
    return word === undefined ? [whole] : [whole, { text: word, kind: 'one word', path, answer }]
  })
  const fewNames = names.filter((_, number) => number % 7 === 0)
  return {
    name: SCRIPT_NAMES[script],
    language: script,
    notes: [...named.flatMap(({ notes }) => notes), ...mentions(script, names), ...templates(fewNames)],
    questions,
  }
}
