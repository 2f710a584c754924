import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the example of the README is the one that is run', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const example = readFileSync(new URL('../../../examples/qmd-backend/search-notes.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
})
