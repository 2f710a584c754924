import type { Socket } from 'node:net'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { openAPIRouteHandler } from 'hono-openapi'
import type { AgentMemory } from '../operations/agent-memory.ts'
import { toToolFailure } from '@mnemark/tools/host'
import { addApiRoutes } from './api-routes.ts'
import { failed, statusOf } from './failed.ts'
import { McpEndpoint } from './mcp-endpoint.ts'
import { LimitByAddress, RateLimit } from './guards/rate-limit.ts'
import { withTimeLimit } from './guards/time-limit.ts'
import { answersFor, bearer, onlyAllowedHosts, knownOrigin, notKept, notTooLarge, rateLimited } from './guards/request-guards.ts'

export interface AppServing {
  readonly memory: AgentMemory
  readonly token: string
  readonly version: string
  /** Aborts when the server ends. */
  readonly stopping: AbortSignal
  readonly log: (message: string) => void
  /** Called for each connection that has sent the token. */
  readonly known?: (socket: Socket) => void
  /** The clock of the limits, in milliseconds from any origin. */
  readonly now?: () => number
}

/** The whole HTTP surface: guards first, then the JSON API, its description, and MCP. */
export function createApp(serving: AppServing): { readonly app: Hono; close(): Promise<void> } {
  const { memory, version, log } = serving
  const settings = memory.settings.serve
  const app = new Hono()
  app.use(notKept(), onlyAllowedHosts(settings), knownOrigin(settings), answersFor(settings))
  app.get('/health', (context) => context.json({ status: 'ok', name: 'mnemark', version }))
  // Requests without the token are counted apart, by address: whatever they send, the owner is served.
  const strangers = new LimitByAddress(settings.requestsPerMinute, serving.now)
  const own = new RateLimit(settings.requestsPerMinute, serving.now)
  app.use(bearer(serving.token, strangers, serving.known), rateLimited(own), notTooLarge(settings))
  addApiRoutes(app, { memory, requestTimeoutMs: settings.requestTimeoutMs, stopping: serving.stopping })
  app.get(
    '/openapi.json',
    openAPIRouteHandler(app, {
      defaultValidationErrorResponse: false,
      documentation: documentation(version),
      exclude: ['/health', '/mcp', '/openapi.json'],
    }),
  )
  const limited = (signal: AbortSignal): AbortSignal => withTimeLimit(signal, settings.requestTimeoutMs)
  const mcp = new McpEndpoint(
    { host: memory, version, log, limited, isConnector: settings.isConnector },
    { maxBodyBytes: settings.maxBodyBytes },
  )
  app.all('/mcp', (context) => mcp.handle(context.req.raw))
  app.notFound((context) => {
    const allowed = methodsAt(app, context.req.path)
    if (allowed.length === 0) return failed(context, 404, NOT_FOUND)
    context.header('Allow', allowed.join(', '))
    return failed(context, 405, {
      code: 'wrong-method',
      message: `${context.req.method} is not answered at this address.`,
      next: `Use ${allowed.join(' or ')}; /openapi.json describes what there is.`,
    })
  })
  app.onError((error, context) => {
    if (error instanceof HTTPException && error.res !== undefined) return error.getResponse()
    if (error instanceof HTTPException) {
      return failed(context, error.status === 400 ? 400 : 422, {
        code: 'bad-input',
        message: error.message,
        next: 'Correct the request.',
      })
    }
    const failure = toToolFailure(error, memory, {})
    const status = statusOf(failure)
    if (status >= 500) log(`${context.req.method} ${withoutKey(context.req.path)} failed: ${failure.code}`)
    return failed(context, status, memory.withoutPlaces(failure))
  })
  return { app, close: () => mcp.close() }
}

/** The key of a session may name a person. */
function withoutKey(path: string): string {
  return path.replace(/^(\/v1\/sessions\/)[^/]+/u, '$1…')
}

const NOT_FOUND = {
  code: 'not-found',
  message: 'There is nothing at this address.',
  next: '/openapi.json describes what there is; MCP is at /mcp.',
}

/** The methods allowed on a path; none for an unknown path. */
function methodsAt({ routes }: Hono, path: string): readonly string[] {
  const at = routes.filter((route) => route.method !== 'ALL' && isAt(path, route.path)).map(({ method }) => method)
  return [...new Set(at.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}

function isAt(path: string, pattern: string): boolean {
  const [steps, wanted] = [path.split('/'), pattern.split('/')]
  const isStep = (step: string, index: number): boolean =>
    wanted[index] === step || (wanted[index]?.startsWith(':') === true && step !== '')
  return steps.length === wanted.length && steps.every(isStep)
}

function documentation(version: string): object {
  return {
    info: {
      title: 'Mnemark',
      version,
      description: 'The memory of one agent: notes in Markdown, searched with exact file and lines.',
    },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    security: [{ bearer: [] }],
  }
}
