import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './documented-home.ts'
import type { DocumentedHome } from './documented-home.ts'
import { readPage } from './read-page.ts'
import type { Block } from './read-page.ts'

export interface TriedPage {
  /** From the root of the checkout. */
  readonly path: string
  readonly text: string
  /** Where its commands are typed: `~/notes`, or a folder below the root of the checkout. */
  readonly folder: string
  /** The home folder of its reader, made when the first command wants it. */
  readonly home: () => Promise<DocumentedHome>
  /** Whether a file that some test runs holds this program. */
  readonly isRun: (program: string) => boolean
}

/** Languages of what is printed, not typed. */
const OUTPUT = ['text', 'sql', 'mermaid', '']
/** Commands in sentences that were tried, on this page or another: each is tried once. */
const triedSpans = new Set<string>()
/** The help of each command, which is the same on every page. */
const helpOf = new Map<string, Promise<string>>()

/** Runs a page as it is printed and returns the failures, each as `place: what happened`. */
export async function tryPage(page: TriedPage): Promise<readonly string[]> {
  const { blocks, spans } = readPage(page.text)
  const problems: string[] = []
  for (const { file, text } of blocks) if (file !== undefined) (await page.home()).write(file, text)
  for (const block of blocks) {
    const problem = await tryBlock(block, page)
    if (problem !== undefined) problems.push(`${page.path}:${block.line}: ${problem}`)
  }
  const shown = blocks.map(({ text }) => text).join('\n')
  for (const span of spans.map(asTyped).filter(isCommand)) {
    if (shown.includes(span) || triedSpans.has(span)) continue
    triedSpans.add(span)
    const problem = isMention(span) ? await holdAgainstHelp(span, page) : await tryCommand(span, page)
    if (problem !== undefined) problems.push(`${page.path}: \`${span}\`: ${problem}`)
  }
  return problems
}

async function tryBlock(block: Block, page: TriedPage): Promise<string | undefined> {
  const { language, text, notRun, file } = block
  if (notRun !== undefined) return existsSync(join(ROOT, notRun.testedBy)) ? undefined : `there is no ${notRun.testedBy}`
  switch (language) {
    case 'sh':
      return await tryShell(block, page)
    case 'ts':
      return page.isRun(text) ? undefined : 'a program that no example holds, so that no test runs it'
    case 'json5':
      return file === undefined ? await tryConfiguration(block, page) : undefined
    case 'json':
      return parseProblem(text)
    default:
      return OUTPUT.includes(language) ? undefined : `nobody says how ${language} is tried`
  }
}

/** The reader's own Node may be one that does not run TypeScript: `npm start` and `pnpm` bring that of the checkout. */
const BARE_NODE = /^(?:\w+=\S+ )*node /mu

async function tryShell({ text, exits = 0, folder }: Block, page: TriedPage): Promise<string | undefined> {
  if (BARE_NODE.test(text)) return 'a Node older than 24 cannot run it; let npm start it'
  const { code, output } = await (await page.home()).run(text, folder ?? page.folder)
  return code === exits ? undefined : `ended with ${code}\n${text}\n${output}`
}

async function tryConfiguration({ text, folder = '~' }: Block, page: TriedPage): Promise<string | undefined> {
  const home = await page.home()
  home.write(`${folder}/printed.json5`, text)
  const variables = ['OPENAI_API_KEY', 'COHERE_API_KEY', ...(text.match(/(?<=\$\{)\w+/gu) ?? [])].map(
    (name) => `${name}=key-of-a-reader`,
  )
  const { code, output } = await home.run(`${variables.join(' ')} mnemark config check --config printed.json5`, folder)
  return code === 0 ? undefined : `no good configuration\n${output}`
}

function parseProblem(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `no JSON: ${String(error)}`
  }
}

/** A pipe in a cell of a table is escaped. */
const asTyped = (span: string): string => span.replaceAll(String.raw`\|`, '|').replace(/^\.\//u, '')
const isCommand = (span: string): boolean => /^mnemark [a-z]/u.test(span)
/** The name of a command, with options at most, or with `PATH`, `…` and the like for what the reader knows: not typed as it stands. */
const isMention = (command: string): boolean => /^mnemark(?: -*[a-z-]+){1,2}$|[…<[]|\b[A-Z]{2,}\b(?!\.md)/u.test(command)

/** Finding nothing is no failure for a command in a sentence. */
async function tryCommand(command: string, page: TriedPage): Promise<string | undefined> {
  const { code, output } = await (await page.home()).run(command, page.folder)
  return code === 0 || code === 1 ? undefined : `ended with ${code}\n${output}`
}

async function holdAgainstHelp(command: string, page: TriedPage): Promise<string | undefined> {
  const [, name = ''] = command.split(' ')
  const help = helpOf.get(name) ?? page.home().then(async (home) => (await home.run(`mnemark help ${name}`, '~/notes')).output)
  helpOf.set(name, help)
  const text = await help
  const missing = [`mnemark ${name}`, ...(command.match(/(?<= )--?[a-z][a-z-]*/gu) ?? [])].filter((word) => !text.includes(word))
  return missing.length === 0 ? undefined : `its help has no ${missing.join(', ')}`
}
