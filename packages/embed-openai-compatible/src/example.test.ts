import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

// Held to the provider contract beside it, in acme.test.ts.
test('the README shows the provider of ten lines as it is', () => {
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../../../examples/custom-provider/acme.ts')}\`\`\``)
})
