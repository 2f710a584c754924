import type { MemoryCall } from '@mnemark/tools'
import { toToolFailure } from '@mnemark/tools/host'
import type { Context } from 'hono'
import { describeRoute, resolver } from 'hono-openapi'
import type { GenericSchema } from 'valibot'
import { withoutUndefined } from '../config/without-undefined.ts'
import { CommandError } from '../failure.ts'
import type { AgentMemory } from '../operations/agent-memory.ts'
import { explainCommand } from '../operations/tool-failure.ts'
import { errorReply } from './api-schemas.ts'
import { callerParameters, readCaller } from './caller-headers.ts'
import { failed } from './failed.ts'
import { withTimeLimit } from './guards/time-limit.ts'

export interface ApiServing {
  readonly memory: AgentMemory
  readonly requestTimeoutMs: number
  /** Aborts when the server ends. */
  readonly stopping: AbortSignal
}

/** The caller and the time limit of a request. */
export function callOf(context: Context, { requestTimeoutMs }: ApiServing): MemoryCall {
  const { headers, signal } = context.req.raw
  return { caller: readCaller(headers), signal: withTimeLimit(signal, requestTimeoutMs) }
}

export type RequestBody = NonNullable<Parameters<typeof describeRoute>[0]['requestBody']>

/** Describes a route: its request and reply, with the failures every route has. */
export function described(summary: string, reply: GenericSchema, body?: RequestBody): ReturnType<typeof describeRoute> {
  return describeRoute({
    summary,
    ...withoutUndefined({ requestBody: body }),
    parameters: callerParameters(),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: resolver(reply) } } },
      default: { description: 'Refused or failed', content: { 'application/json': { schema: resolver(errorReply) } } },
    },
  })
}

/** Names each wrong member, in the common form of errors. */
export function refuse(result: InputCheck, context: Context): Response | undefined {
  if (result.success) return undefined
  const issues = (result.error ?? []).map(
    ({ message, path }) => `${(path ?? []).map(nameOf).join('.') || 'the input'}: ${message}`,
  )
  const isUnread = context.req.method === 'POST' && !isJson(context.req.header('content-type'))
  const cause = isUnread ? 'The body is sent as another type than application/json, and was not read.' : issues.join('; ')
  return failed(context, 400, toToolFailure(badInput(cause), { explain: explainCommand }, {}))
}

function isJson(contentType = ''): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)
}

interface InputCheck {
  readonly success: boolean
  readonly error?: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[]
}

function nameOf(step: unknown): string {
  return typeof step === 'object' && step !== null && 'key' in step ? String(step.key) : String(step)
}

export function badInput(message: string): CommandError {
  return new CommandError('bad-input', message, { next: 'Correct the input; /openapi.json describes it.' })
}

/** Throws CommandError `bad-input` for a body that is no JSON; none is an empty object. */
export async function readJson(context: Context): Promise<unknown> {
  const text = await context.req.text()
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw badInput('The body is no JSON.')
  }
}

/** A number of a query string, which arrives as text. */
export function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
