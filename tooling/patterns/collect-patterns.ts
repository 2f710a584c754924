/** The regular expressions of sources: literals as they are parsed, built ones as they are built while the modules load. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

export interface Pattern {
  readonly source: string
  readonly flags: string
  /** The first file that has it. */
  readonly file: string
}

/**
 * Collects the patterns of these files, each once. Patterns built when a module is loaded count; patterns built from input must
 * escape it.
 */
export async function collectPatterns(files: readonly string[], root: string): Promise<readonly Pattern[]> {
  const found = new Map<string, Pattern>()
  const add = (pattern: Pattern): void => {
    const key = `/${pattern.source}/${pattern.flags}`
    if (!found.has(key)) found.set(key, pattern)
  }
  for (const file of files) for (const literal of literalsOf(file, relative(root, file))) add(literal)
  for (const built of await builtBy(files, root)) add(built)
  return [...found.values()]
}

function literalsOf(file: string, name: string): readonly Pattern[] {
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`)
  const patterns: Pattern[] = []
  const visitor = new Visitor({
    Literal: (node) => {
      if ('regex' in node) patterns.push({ source: node.regex.pattern, flags: node.regex.flags, file: name })
    },
  })
  visitor.visit(program)
  return patterns
}

async function builtBy(files: readonly string[], root: string): Promise<readonly Pattern[]> {
  const Original = globalThis.RegExp
  const built: Pattern[] = []
  // A module is loaded once and in any order, so that who builds one is read from the stack.
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, given, newTarget) => {
      const made = Reflect.construct(target, given, newTarget)
      const place = new Error('built').stack?.split('\n')[2] ?? ''
      const file = files.find((each) => place.includes(pathToFileURL(each).href))
      if (file !== undefined) built.push({ source: made.source, flags: made.flags, file: relative(root, file) })
      return made
    },
  })
  try {
    for (const file of files) if (readFileSync(file, 'utf8').includes('new RegExp(')) await import(pathToFileURL(file).href)
  } finally {
    globalThis.RegExp = Original
  }
  return built
}
