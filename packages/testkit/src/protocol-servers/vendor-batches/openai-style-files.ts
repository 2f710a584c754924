/** `/v1/files` of OpenAI and of services that follow it. */
import type { BatchService, ServiceFile } from '../batch/batch-service.ts'
import type { WireReply, WireRequest } from '../wire/exchange.ts'
import { multipartOf } from './multipart.ts'

export interface FileForm {
  readonly maxBytes: number
  /** Fields of an upload beside `file` and `purpose`. */
  readonly fields: readonly string[]
  show(file: ServiceFile): Readonly<Record<string, unknown>>
  error(status: number, message: string): WireReply
}

const PATH = /^\/v1\/files(?:\/(?<id>[^/]+)(?<content>\/content)?)?$/
const PAGE = 10_000

/** Undefined for a path outside the files API. */
export async function fileReply(request: WireRequest, service: BatchService, form: FileForm): Promise<WireReply | undefined> {
  const match = PATH.exec(request.path)
  if (match === null) return undefined
  const { id, content } = match.groups ?? {}
  if (id === undefined) return request.method === 'POST' ? upload(request, service, form) : list(request, service, form)
  const file = service.file(id)
  if (file === undefined) return form.error(404, `No such File object: ${id}`)
  if (content !== undefined)
    return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: '', lines: service.contentOf(file) }
  if (request.method === 'GET') return { status: 200, body: form.show(file) }
  if (request.method !== 'DELETE') return form.error(405, 'Method not allowed')
  service.deleteFile(id)
  return { status: 200, body: { id, object: 'file', deleted: true } }
}

async function upload(request: WireRequest, service: BatchService, form: FileForm): Promise<WireReply> {
  const parts = await multipartOf(request)
  const file = parts?.files.find(({ field }) => field === 'file')
  if (parts === undefined || file === undefined) return form.error(400, "'file' is a required property")
  const { purpose, ...rest } = parts.fields
  const unknown = Object.keys(rest).find((name) => !form.fields.includes(name.replace(/\[.*$/, '')))
  if (unknown !== undefined) return form.error(400, `Unrecognized request argument supplied: ${unknown}`)
  if (purpose !== 'batch') return form.error(400, `'${purpose}' is not one of ['batch'] - 'purpose'`)
  if (Buffer.byteLength(file.text) > form.maxBytes) return form.error(413, 'The file is too large.')
  return { status: 200, body: form.show(service.upload(file.name, purpose, file.text)) }
}

function list(request: WireRequest, service: BatchService, form: FileForm): WireReply {
  const query = new URLSearchParams(request.query)
  const purpose = query.get('purpose')
  const files = service.listed(service.files).filter((file) => purpose === null || file.purpose === purpose)
  return { status: 200, body: page(query.get('order') === 'asc' ? files.toReversed() : files, query, PAGE, form.show) }
}

/** One page of a list, by `limit` and the id before it, `after`. */
export function page<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  query: URLSearchParams,
  most: number,
  show: (entry: Entry) => unknown,
): Readonly<Record<string, unknown>> {
  const after = query.get('after')
  const start = after === null ? 0 : entries.findIndex(({ id }) => id === after) + 1
  const limit = Math.min(most, Number(query.get('limit') ?? most))
  const shown = entries.slice(start, start + limit)
  const more = start + limit < entries.length
  return {
    object: 'list',
    data: shown.map(show),
    has_more: more,
    first_id: shown[0]?.id ?? null,
    last_id: shown.at(-1)?.id ?? null,
  }
}
