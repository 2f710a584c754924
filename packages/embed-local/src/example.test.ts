import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { writeTinyModel } from '../test/tiny-model.ts'

const example = fileURLToPath(new URL('../examples/embed-notes.ts', import.meta.url))

test('the example of the README embeds two texts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-local-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = { ...process.env, MODEL: writeTinyModel(join(folder, 'tiny.gguf')) }
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=mnemark-source', '--no-warnings', example], {
    env,
  })
  expect(stdout).toBe('2 vectors of 32 numbers, 66 tokens\n')
})

test('the README shows the example as it is', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\``)
})
