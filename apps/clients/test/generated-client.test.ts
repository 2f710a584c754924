import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import type { OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePlace, serve, TOKEN } from './memory-place.ts'
import type { MemoryPlace } from './memory-place.ts'

const FOLDER = new URL('../generated-client/', import.meta.url)
const PROGRAM = fileURLToPath(new URL('every-route.ts', FOLDER))

let place: MemoryPlace
let server: Awaited<ReturnType<typeof serve>>
let types = ''
let routes: readonly string[] = []

beforeAll(async () => {
  place = makePlace({
    'MEMORY.md': '# Memory\n\n- Huda prefers pnpm\n',
    'memory/net.md': '# Network\n\n- VLAN 10 is for guests\n',
  })
  server = await serve(place)
  const response = await fetch(`${server.url}/openapi.json`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const document: OpenAPI3 = JSON.parse(await response.text())
  routes = Object.entries<object>(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  types = astToString(await openapiTS(document))
  writeFileSync(new URL('schema.d.ts', FOLDER), types)
})

afterAll(async () => {
  await server.stop()
  place.remove()
})

test('P73: a client generated from the description compiles under strict, and nothing in it is unusable', () => {
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: false,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    types: [],
  }
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([PROGRAM], options))
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  // An object that may have no member at all; the generator's own empty tables at the end apart.
  expect(types.match(/^\s+.*Record<string, never>.*$/gmu) ?? []).toEqual([])
})

test('it calls every route of a server, and gets what the description says', async () => {
  const { callEveryRoute } = await import(PROGRAM)
  const called: readonly string[] = await callEveryRoute(server.url, TOKEN)
  expect([...new Set(called)].toSorted()).toEqual(routes.toSorted())
})
