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
  const make = `const { createGeminiGenerator } = await import('@mnemark/generate-gemini'); const model = createGeminiGenerator({ apiKey: 'key-test-only', model: 'gemini-2.5-flash', fetch: async () => Response.json({}) })`
  expect(packagesOf(make).toSorted()).toEqual(['@mnemark/generate-gemini', '@mnemark/provider-kit', '@mnemark/spec'])
  expect(packagesOf(`${make}; await model.generate({ system: '', prompt: 'a' }).catch(() => {})`)).toContain('@google/genai')
})
