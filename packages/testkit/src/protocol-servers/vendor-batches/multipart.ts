import type { WireRequest } from '../wire/exchange.ts'

export interface Multipart {
  readonly fields: Readonly<Record<string, string>>
  readonly files: readonly { readonly field: string; readonly name: string; readonly text: string }[]
}

/** The parts of a `multipart/form-data` body of text; undefined for anything else. */
export async function multipartOf({ headers, text }: WireRequest): Promise<Multipart | undefined> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return undefined
  const form = await new Response(text, { headers: { 'content-type': type } }).formData().catch(() => undefined)
  if (form === undefined) return undefined
  const fields: Record<string, string> = {}
  const files: Multipart['files'][number][] = []
  for (const [field, value] of form) {
    if (typeof value === 'string') fields[field] = value
    else files.push({ field, name: value.name, text: await value.text() })
  }
  return { fields, files }
}
