import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NamedVault, NameQuestion } from './named-vault.ts'

const FOLDER = join(import.meta.dirname, '../../../../examples/workspace')

interface Heading {
  readonly level: number
  /** Without the time of day that logs begin their headings with. */
  readonly text: string
  readonly line: number
}

function headingsOf(text: string): readonly Heading[] {
  let isFenced = false
  return text.split('\n').flatMap((content, line): Heading[] => {
    if (content.startsWith('```')) isFenced = !isFenced
    const [, marks, heading] = (isFenced ? null : /^(#{1,6}) +(?:\d\d:\d\d +)?(.+?)\s*$/.exec(content)) ?? []
    return marks === undefined || heading === undefined ? [] : [{ level: marks.length, text: heading, line }]
  })
}

function questionsOf(path: string, text: string, isUnique: (heading: string) => boolean): readonly NameQuestion[] {
  const lines = text.split('\n')
  const answerAfter = (at: number) => lines.slice(at + 1).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  const stem = path.replace(/^.*\//, '').replace(/\.md$/, '')
  const headings = headingsOf(text).flatMap((heading, at): NameQuestion[] => {
    const answer = answerAfter(heading.line)
    if (answer === '' || !isUnique(heading.text)) return []
    return [{ text: heading.text, kind: at === 0 && heading.level === 1 ? 'first heading' : 'heading', path, answer }]
  })
  return [{ text: stem, kind: 'file', path, answer: answerAfter(-1) }, ...headings]
}

/** The example workspace, asked for every file and every heading that no other file has. */
export function exampleVault(): NamedVault {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && !path.startsWith('.'))
    .sort()
  const notes = paths.map((path) => ({ path, text: readFileSync(join(FOLDER, path), 'utf8') }))
  const headings = notes.flatMap(({ text }) => headingsOf(text).map((heading) => heading.text))
  const isUnique = (heading: string) => headings.indexOf(heading) === headings.lastIndexOf(heading)
  return {
    name: 'example workspace',
    language: 'en',
    notes,
    questions: notes.flatMap(({ path, text }) => questionsOf(path, text, isUnique)),
  }
}
