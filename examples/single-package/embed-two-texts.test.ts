import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ollamaWire, startProtocolServer } from '@mnemark/testkit'
import { expect, test } from 'vitest'

const run = (...commandLine: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> =>
  promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', 'embed-two-texts.ts', ...commandLine], {
    cwd: import.meta.dirname,
  })

test('two texts go out in one request, and their similarity comes out', async () => {
  await using server = await startProtocolServer(ollamaWire)
  // 3·1 + 4·0 over lengths of 5 and 1.
  server.behave({
    vectors: (vectors) =>
      [
        [3, 4],
        [1, 0],
      ].map((start, row) => vectors[row]?.map((_, at) => start[at] ?? 0)),
  })
  const { stdout, stderr } = await run(server.baseUrl)
  expect({ stdout, stderr }).toEqual({ stdout: '2 vectors of 768 numbers, similarity 0.600\n', stderr: '' })
  expect(server.calls.map(({ texts, model }) => [texts.length, model])).toEqual([[2, 'nomic-embed-text']])
})

test('the model is the second argument', async () => {
  await using server = await startProtocolServer(ollamaWire)
  await run(server.baseUrl, 'bge-m3').catch(() => {})
  expect(server.requests[0]?.body).toMatchObject({ model: 'bge-m3' })
})

test('a server that is not there is said in one line, without a stack', async () => {
  const server = await startProtocolServer(ollamaWire)
  await server.close()
  const failure = run(server.baseUrl)
  await expect(failure).rejects.toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^ollama.*\n$/) })
})

test('nothing of Mnemark comes with the adapter but spec and provider-kit', () => {
  expect([...dependenciesBelow(import.meta.dirname)].toSorted()).toEqual([
    '@mnemark/embed-ollama',
    '@mnemark/provider-kit',
    '@mnemark/spec',
  ])
})

/** The packages of ours below the one in `directory`, through any number of others. */
function dependenciesBelow(directory: string): ReadonlySet<string> {
  const manifest: { readonly dependencies?: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  )
  const ours = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@mnemark/'))
  return new Set(ours.flatMap((name) => [name, ...dependenciesBelow(join(directory, 'node_modules', name))]))
}
