import * as v from 'valibot'
import { withoutUndefined } from '../without-undefined.ts'

// A message says what is allowed; the reporter adds key and value. The reference page uses the same text.

/** The facts about a key on the reference page. */
export interface KeyInfo {
  /** A sentence for the reference page, in Markdown. */
  readonly means: string
  /** As it is written in a file, such as `"auto"`; absent = there is none. */
  readonly default?: string
  /** Known and checked, but without effect in this version, as are all keys below. */
  readonly isUnused?: true
  /** Belongs to another part of an OpenClaw file: accepted, not checked, and never suggested. */
  readonly isForeign?: true
}

/**
 * The trust a key needs. `finding`: affects what is found and shown, so a workspace's own file may set it. `trusted`: programs,
 * hosts, keys, money, whatever leaves the folder; counts only from trusted configuration. `inside`: a path, `finding` while it
 * stays in the workspace.
 */
export type KeyClass = 'finding' | 'trusted' | 'inside'

export interface KeyTrust {
  readonly class: KeyClass
  /** Values of a trusted key that only restrict, such as `"none"`: they count from anywhere. */
  readonly harmless?: readonly unknown[]
}

/** Sets the trust class of a schema's key, and of all keys below without their own. */
export function classed<Schema extends v.GenericSchema>(
  keyClass: KeyClass,
  schema: Schema,
  harmless?: readonly unknown[],
): Schema {
  const trust: KeyTrust = { class: keyClass, ...withoutUndefined({ harmless }) }
  // Safe: as in `key`.
  return v.pipe(schema, v.metadata({ trust })) as never
}

export function keyTrust(schema: object): KeyTrust | undefined {
  return metadataOf(schema).find((metadata): metadata is { trust: KeyTrust } => 'trust' in metadata)?.trust
}

/** Adds the description of a schema's key. */
export function key<Schema extends v.GenericSchema>(schema: Schema, info: KeyInfo): Schema {
  // Safe: a pipe with only metadata checks what its schema checks.
  return v.pipe(schema, v.metadata({ ...info })) as never
}

export function keyInfo(schema: object): KeyInfo | undefined {
  return metadataOf(schema).find((metadata): metadata is KeyInfo => 'means' in metadata)
}

/** Metadata of a schema and of those it wraps, outermost first. */
function metadataOf(schema: object): readonly object[] {
  const steps: unknown = Reflect.get(schema, 'pipe')
  if (!Array.isArray(steps)) return []
  const [wrapped, ...own] = steps
  return [...own.flatMap((step) => (step?.type === 'metadata' ? [step.metadata] : [])), ...metadataOf(wrapped)]
}

export const text: v.StringSchema<string> = v.string('a text')
export const flag: v.BooleanSchema<string> = v.boolean('true or false')
export const texts: v.ArraySchema<typeof text, string> = v.array(text, 'a list of texts')
export const anything: v.RecordSchema<v.StringSchema<undefined>, v.UnknownSchema, string> = v.record(
  v.string(),
  v.unknown(),
  'an object',
)
export const headers: v.RecordSchema<v.StringSchema<undefined>, typeof text, string> = v.record(
  v.string(),
  text,
  'an object of texts',
)

/** A secret, or its place in OpenClaw's form. */
export type Secret = string | { readonly source: string; readonly id: string; readonly provider?: string }

export const secret: v.GenericSchema<unknown, Secret> = v.union(
  [v.string(), v.looseObject({ source: v.string(), id: v.string(), provider: v.exactOptional(v.string()) })],
  'a text such as "${NAME}", or { source: "env" or "file", id, provider }',
)

export function between(least: number, most: number = Number.MAX_VALUE): v.GenericSchema<unknown, number> {
  return v.custom<number>(
    (value) => typeof value === 'number' && value >= least && value <= most,
    most === Number.MAX_VALUE ? `a number from ${least}` : `a number from ${least} to ${most}`,
  )
}

export function whole(least: number, most: number = Number.MAX_SAFE_INTEGER): v.GenericSchema<unknown, number> {
  return v.custom<number>(
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`,
  )
}

export function oneOf<const Names extends readonly string[]>(allowed: Names): v.GenericSchema<unknown, Names[number]> {
  return v.picklist(allowed, allowed.map((name) => `"${name}"`).join(', '))
}

export type OptionalEntries<Entries extends Readonly<Record<string, v.GenericSchema>>> = {
  readonly [Key in keyof Entries]: v.ExactOptionalSchema<Entries[Key], undefined>
}

/** Every member is optional, and unknown ones are accepted: `known-keys.ts` warns about them. */
export function object<Entries extends Record<string, v.GenericSchema>>(
  entries: Entries,
): v.LooseObjectSchema<OptionalEntries<Entries>, string> {
  const optional = Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, v.exactOptional(schema)]))
  // Safe: the mapping above makes exactly this type, which Object.fromEntries cannot express.
  return v.looseObject(optional, 'an object') as never
}

export const languageTag: v.GenericSchema<unknown, string> = v.custom<string>((value) => {
  try {
    return typeof value === 'string' && Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false
  }
}, 'a language tag, such as "de" or "pt-BR"')

export const timeZone: v.GenericSchema<unknown, string> = v.custom<string>((value) => {
  try {
    return typeof value === 'string' && value !== '' && new Intl.DateTimeFormat('en', { timeZone: value }).format(0) !== ''
  } catch {
    return false
  }
}, 'a time zone of the IANA list, such as "Asia/Riyadh"')
