import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** The packages that a fresh process asks for. */
function packagesOf(code: string): readonly string[] {
  const hook = `
    import { registerHooks } from 'node:module'
    registerHooks({ resolve: (name, context, next) => (console.log(name), next(name, context)) })
    ${code}`
  const flags = ['--conditions=mnemark-source', '--no-warnings', '--input-type=module', '--eval', hook]
  const output = execFileSync(process.execPath, flags, { cwd: import.meta.dirname, encoding: 'utf8' })
  return [...new Set(output.split('\n').filter((name) => /^@?[a-z]/.test(name) && !name.startsWith('node:')))]
}

test('importing the adapter and making a model loads no SDK, which comes with the first call', () => {
  const make = `const { createBedrockGenerator } = await import('@mnemark/generate-bedrock'); const model = createBedrockGenerator({ apiKey: 'key-test-only', region: 'us-east-1', model: 'amazon.nova-pro-v1:0', fetch: async () => Response.json({}) })`
  expect(packagesOf(make).toSorted()).toEqual([
    '@mnemark/bedrock-access',
    '@mnemark/generate-bedrock',
    '@mnemark/provider-kit',
    '@mnemark/spec',
  ])
  expect(packagesOf(`${make}; await model.generate({ system: '', prompt: 'a' }).catch(() => {})`)).toContain(
    '@aws-sdk/client-bedrock-runtime',
  )
})
