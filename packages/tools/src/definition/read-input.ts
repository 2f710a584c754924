import * as v from 'valibot'
import type { MemoryTool } from './memory-tool.ts'
import { plainDigits } from './plain-digits.ts'
import { ToolError } from '../host/tool-error.ts'
import { inputSchema } from './tool-schema.ts'

/**
 * Reads the input of a tool leniently: other tools' names for a parameter, a single text for a list, and digits for a number are
 * accepted. Throws ToolError `bad-input` that names the fault and the tool's own parameters.
 */
export function readInput<Input>(tool: MemoryTool<Input>, input: unknown): Input {
  const given = objectOf(tool, input ?? {})
  const { properties, required } = formOf(tool)
  const named = withOwnNames(given, tool, [...properties.keys()])
  const unknown = Object.keys(named).filter((name) => !properties.has(name))
  const missing = required.filter((name) => named[name] === undefined || named[name] === null)
  if (unknown.length > 0 || missing.length > 0) {
    const problems = [
      ...missing.map((name) => `${name} is missing`),
      ...unknown.map((name) => `there is no parameter ${JSON.stringify(name.slice(0, 100))}`),
    ]
    throw refused(tool, problems, [...properties.keys()])
  }
  const typed = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, asType(value, properties.get(name))]))
  const checked = v.safeParse(tool.input, typed)
  if (checked.success) return checked.output
  throw refused(
    tool,
    checked.issues.map((issue) => `${v.getDotPath(issue) ?? 'the input'}: ${issue.message}`),
    [...properties.keys()],
  )
}

function objectOf(tool: Pick<MemoryTool, 'name'>, input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { ...input }
  throw new ToolError('bad-input', `${tool.name}: expected an object of parameters.`, {
    next: 'Correct the input and call again.',
  })
}

function refused(tool: Pick<MemoryTool, 'name'>, problems: readonly string[], names: readonly string[]): ToolError {
  return new ToolError('bad-input', `${tool.name}: ${problems.join('; ')}.`, {
    next: `Correct the input and call again. The parameters: ${names.join(', ')}.`,
  })
}

interface InputForm {
  /** The type of each parameter. */
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: readonly string[]
}

function formOf(tool: Pick<MemoryTool, 'input'>): InputForm {
  const { properties, required } = inputSchema(tool)
  const types = Object.entries(properties ?? {}).map(([name, member]) => [name, member?.type] as const)
  return { properties: new Map(types), required: Array.isArray(required) ? required.map(String) : [] }
}

/** Own names win: an alias beside the parameter it stands for is a mistake, and is reported. */
function withOwnNames(
  given: Readonly<Record<string, unknown>>,
  { aliases }: Pick<MemoryTool, 'aliases'>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  const named = new Map<string, unknown>(Object.entries(given).filter(([name]) => names.includes(name)))
  for (const [name, value] of Object.entries(given)) {
    if (names.includes(name)) continue
    const bare = bareName(name)
    const meant = names.find((own) => bareName(own) === bare) ?? aliases[bare]
    named.set(meant === undefined || named.has(meant) ? name : meant, value)
  }
  return Object.fromEntries(named)
}

/** `max_results`, `maxResults` and `MaxResults` are the same name. */
function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/gu, '')
}

function asType(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return type === 'array' && isScalar(value) ? [String(value)] : value
  if (type === 'integer') return wholeNumberIn(value) ?? value
  return type === 'array' ? (listIn(value) ?? [value]) : value
}

function wholeNumberIn(text: string): number | null {
  const digits = plainDigits(text.trim())
  return /^\d{1,15}$/u.test(digits) ? Number(digits) : null
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

/** Some models send a list as its JSON text. */
function listIn(text: string): readonly unknown[] | null {
  if (!/^\s*\[[\s\S]*\]\s*$/u.test(text)) return null
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : null
  } catch {
    return null
  }
}
