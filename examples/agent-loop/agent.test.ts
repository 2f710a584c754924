import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { runSession } from './agent.ts'
import { scriptedModel } from './scripted-model.ts'

function notesFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A session in a process of its own, as a person runs it. */
async function runAlone(folder: string, message: string): Promise<string> {
  const argv = ['--conditions=mnemark-source', '--no-warnings', join(import.meta.dirname, 'agent.ts'), message, folder]
  return (await promisify(execFile)(process.execPath, argv, { env: { PATH: process.env.PATH, HOME: folder } })).stdout
}

test('what the agent is told in one run it knows in the next', async () => {
  const folder = notesFolder()
  expect(await runAlone(folder, 'Which VLAN is the printer on?')).toBe('My notes say: nothing.\n')
  expect(await runAlone(folder, 'Remember: the printer is on VLAN 20')).toBe('I will remember that.\n')
  expect(await runAlone(folder, 'Which VLAN is the printer on?')).toBe('My notes say: the printer is on VLAN 20\n')
  const [log] = readdirSync(join(folder, 'memory'))
  expect(readFileSync(join(folder, 'memory', log ?? ''), 'utf8')).toContain('- the printer is on VLAN 20')
})

test('the model is given guidance, the start of the session as data, and the tools with their schemas', async () => {
  const folder = notesFolder()
  writeFileSync(join(folder, 'MEMORY.md'), '# Memory\n\n- Huda prefers pnpm\n')
  const model = scriptedModel()
  await runSession({ model, workspace: folder, message: 'What does Huda prefer?' })
  const [first] = model.doGenerateCalls
  expect(JSON.stringify(first?.prompt[0])).toMatch(/memory of Markdown notes.*untrusted-data.*Huda prefers pnpm/s)
  expect(first?.tools?.map((tool) => tool.name)).toEqual([
    'memory_search',
    'memory_get',
    'memory_list',
    'memory_recent',
    'memory_append',
    'memory_edit',
  ])
  expect(first?.tools?.[0]).toMatchObject({ inputSchema: { type: 'object', required: ['query'], additionalProperties: false } })
})

test('a call that fails is told the model, with what to do', async () => {
  const folder = notesFolder()
  const model = scriptedModel()
  await runSession({ model, workspace: folder, message: 'Remember: a\\n- b\\n- c' })
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1))).toMatch(/line breaks/)
})
