import { toJsonSchema } from '@valibot/to-json-schema'
import type { MemoryTool } from './memory-tool.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The keywords that every vendor's checker accepts. Bounds are in the descriptions and are checked when a tool is called. */
const KEPT: ReadonlySet<string> = new Set(['type', 'description', 'properties', 'required', 'items'])

/** The input of a tool in the part of JSON Schema that OpenAI, Gemini and Claude all support. */
export function inputSchema(tool: Pick<MemoryTool, 'input'>): JsonSchema {
  return plain(toJsonSchema(tool.input, { target: 'draft-2020-12', typeMode: 'input', errorMode: 'ignore' }))
}

/** For OpenAI's `strict: true`: every parameter required; optional ones accept `null`, which counts as left out. */
export function strictInputSchema(tool: Pick<MemoryTool, 'input'>): JsonSchema {
  const schema = inputSchema(tool)
  const required = new Set(listOf(schema['required']))
  const properties = Object.entries(recordOf(schema['properties'])).map(([name, member]) => {
    const form = recordOf(member)
    return [name, required.has(name) ? form : { ...form, type: [form['type'], 'null'] }] as const
  })
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  }
}

/** An input as the AI SDK (6 and later) and the MCP library accept it: Standard Schema with JSON Schema, as a structural type. */
export interface OpenInput {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: unknown }
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
      readonly output: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

/** For protocols that check an input before the tool sees it: everything passes, so that the tool itself reports faults. */
export function openInput(tool: Pick<MemoryTool, 'input'>): OpenInput {
  const schema = (): Record<string, unknown> => ({ ...inputSchema(tool) })
  return {
    '~standard': {
      version: 1,
      vendor: 'mnemark',
      validate: (value) => ({ value }),
      jsonSchema: { input: schema, output: schema },
    },
  }
}

function plain(schema: unknown): JsonSchema {
  const entries = Object.entries(recordOf(schema)).filter(([keyword]) => KEPT.has(keyword))
  return Object.fromEntries(
    entries.map(([keyword, value]) => {
      if (keyword === 'items') return [keyword, plain(value)]
      if (keyword !== 'properties') return [keyword, value]
      return [keyword, Object.fromEntries(Object.entries(recordOf(value)).map(([name, member]) => [name, plain(member)]))]
    }),
  )
}

function recordOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
