/** Finds the imports of a TypeScript source without a parser: enough for rules about module names. */
import { builtinModules } from 'node:module'

// Strings are matched so that `//` inside one is not taken for a comment; only comments are removed.
const STRING_OR_COMMENT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g
const STATIC_IMPORT = /^\s*(?:import|export)\b(?:[^'"`;=()]*?\bfrom)?\s*(['"])([^'"\n]+)\1/gm
const DYNAMIC_IMPORT = /\bimport\(\s*(['"])([^'"\n]+)\1/g

/** The source without its comments, so that an example in a doc comment does not count as code. */
export const withoutComments = (source: string): string =>
  source.replace(STRING_OR_COMMENT, (match) => (match.startsWith('/') ? ' ' : match))

/** Module specifiers of all static and dynamic imports and re-exports, types included. */
export function importedModules(source: string): readonly string[] {
  const code = withoutComments(source)
  return [STATIC_IMPORT, DYNAMIC_IMPORT].flatMap((pattern) => [...code.matchAll(pattern)].flatMap((match) => match[2] ?? []))
}

/** `fs` for `node:fs/promises` and for a bare `fs/promises`; undefined when Node brings no such module. */
export function nodeModuleOf(specifier: string): string | undefined {
  const name = specifier.replace(/^node:/, '').split('/')[0]
  return name !== undefined && (specifier.startsWith('node:') || builtinModules.includes(name)) ? name : undefined
}

/** `@scope/name` or `name` of a bare specifier; undefined for relative ones and for `#imports`. */
export function packageOf(specifier: string): string | undefined {
  if (/^[./#]/.test(specifier)) return undefined
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
