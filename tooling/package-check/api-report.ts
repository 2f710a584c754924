/**
 * Reports the exports of a package as its users see them: each entry with the declarations of its names, from the built `.d.ts`
 * files, without comments. Kept in the package's `api.md`, so that a review shows every change to the public API.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { isRecord, type JsonRecord } from '../workspace-packages.ts'

/** Declarations by exported name; a name that comes from another package is one line that says from where. */
type Names = ReadonlyMap<string, string>

interface Declarations {
  /** Declarations of the file by name, exported or not. */
  readonly local: ReadonlyMap<string, string>
  readonly imported: ReadonlyMap<string, { readonly from: string; readonly name: string }>
  /** Exported names: of this file, or of another. */
  readonly exported: readonly { readonly name: string; readonly local: string; readonly from?: string }[]
  /** `export * from`. */
  readonly all: readonly string[]
}

/** The report on a package whose built files lie in `directory`. Throws an Error where an entry was not built. */
export function apiReport(manifest: JsonRecord, directory: string): string {
  const exports = isRecord(manifest['exports']) ? manifest['exports'] : {}
  const parts = Object.entries(exports).map(([subpath, target]) => {
    const types = isRecord(target) ? String(target['types']) : ''
    const names = [...namesOf(join(directory, types))].sort(([left], [right]) => (left < right ? -1 : 1))
    const code = names.map(([, declaration]) => declaration).join('\n')
    return `## ${String(manifest['name'])}${subpath.slice(1)}\n\n\`\`\`ts\n${code}\n\`\`\`\n`
  })
  return `# API of ${String(manifest['name'])}\n\nWritten by \`pnpm api:update\`, checked by \`pnpm test:package\`.\n\n${parts.join('\n')}`
}

function namesOf(file: string): Names {
  const { exported, all } = read(file)
  const stars = all.flatMap((from): [string, string][] =>
    from.startsWith('.') ? [...namesOf(beside(file, from))] : [[`* from ${from}`, `export * from '${from}';`]],
  )
  return new Map([
    ...stars,
    ...exported.map(({ name, local, from }): [string, string] => [name, declarationOf(file, name, local, from)]),
  ])
}

function declarationOf(file: string, name: string, local: string, from?: string): string {
  if (from !== undefined && !from.startsWith('.')) return `export { ${renamed(local, name)} } from '${from}';`
  if (from !== undefined) return found(beside(file, from), name, local)
  const { imported, local: declarations } = read(file)
  const source = imported.get(local)
  if (source !== undefined && !declarations.has(local)) return declarationOf(file, name, source.name, source.from)
  const declaration = declarations.get(local)
  if (declaration === undefined) throw new Error(`${file} exports ${local}, which is not declared there`)
  return name === local ? declaration : `// as ${name}\n${declaration}`
}

/** A name of another file of the package, wherever that has it from. */
function found(file: string, name: string, local: string): string {
  const { exported, all } = read(file)
  const own = exported.find((each) => each.name === local)
  if (own !== undefined) return declarationOf(file, name, own.local, own.from)
  for (const from of all.filter((each) => each.startsWith('.'))) {
    const names = namesOf(beside(file, from))
    const declaration = names.get(local)
    if (declaration !== undefined) return declaration
  }
  throw new Error(`${file} does not export ${local}`)
}

const renamed = (local: string, name: string): string => (local === name ? name : `${local} as ${name}`)
const beside = (file: string, from: string): string => join(dirname(file), from.replace(/\.[jt]s$/, '.d.ts'))

const parsed = new Map<string, Declarations>()

function read(file: string): Declarations {
  const known = parsed.get(file)
  if (known !== undefined) return known
  if (!existsSync(file)) throw new Error(`${file} is missing: run pnpm run build first`)
  const declarations = parse(file, readFileSync(file, 'utf8'))
  parsed.set(file, declarations)
  return declarations
}

function parse(file: string, source: string): Declarations {
  const { program, comments } = parseSync(file, source)
  const local = new Map<string, string>()
  const imported = new Map<string, { from: string; name: string }>()
  const exported: { name: string; local: string; from?: string }[] = []
  const all: string[] = []
  const declare = (name: string, node: { readonly start: number; readonly end: number }): void => {
    const text = withoutComments(source, comments, node)
    // A function may be declared more than once, with other parameters.
    local.set(name, [...(local.has(name) ? [local.get(name)] : []), text].join('\n'))
  }
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const each of statement.specifiers) {
        const name =
          each.type === 'ImportSpecifier' ? nameOf(each.imported) : each.type === 'ImportDefaultSpecifier' ? 'default' : '*'
        imported.set(each.local.name, { from: statement.source.value, name })
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      all.push(statement.source.value)
    } else if (statement.type === 'ExportNamedDeclaration') {
      const from = statement.source?.value
      for (const { local: own, exported: name } of statement.specifiers)
        exported.push({ name: nameOf(name), local: nameOf(own), ...(from === undefined ? {} : { from }) })
      if (statement.declaration === null) continue
      for (const name of declaredNames(statement.declaration)) {
        if (!exported.some((each) => each.name === name)) exported.push({ name, local: name })
        declare(name, statement)
      }
    } else {
      for (const name of declaredNames(statement)) declare(name, statement)
    }
  }
  return { local, imported, exported, all }
}

function nameOf(node: { readonly name?: unknown; readonly value?: unknown }): string {
  return String(node.name ?? node.value)
}

/** Names that classes, functions, types and constants declare. */
function declaredNames(node: object): readonly string[] {
  const declarators: unknown = Reflect.get(node, 'declarations')
  const nodes = Array.isArray(declarators) ? declarators : [node]
  return nodes.flatMap((each: object) => {
    const id: unknown = Reflect.get(each, 'id')
    return typeof id === 'object' && id !== null && 'name' in id ? [String(id.name)] : []
  })
}

interface Span {
  readonly start: number
  readonly end: number
}

function withoutComments(source: string, comments: readonly Span[], { start, end }: Span): string {
  const inside = comments.filter((comment) => comment.start >= start && comment.end <= end)
  const edges = [start, ...inside.flatMap((comment) => [comment.start, comment.end]), end]
  const pieces = edges.flatMap((edge, index) => (index % 2 === 0 ? [source.slice(edge, edges[index + 1])] : []))
  return pieces
    .join('')
    .replace(/^[ \t]*\n/gm, '')
    .replace(/^(?:export )?(?:declare )?/, 'export ')
}
