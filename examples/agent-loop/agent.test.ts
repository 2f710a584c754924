import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openAgent } from './agent.ts'
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
  await using agent = await openAgent({ model, workspace: folder })
  await agent.say('What does Huda prefer?')
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
  await using agent = await openAgent({ model, workspace: folder })
  await agent.say('Remember: a\\n- b\\n- c')
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1))).toMatch(/line breaks/)
})

test('a conversation goes on in the next run, begins anew on /new, and stays in the transcript', async () => {
  const folder = notesFolder()
  for (const message of [
    'Remember: the printer is on VLAN 20',
    'Which VLAN is the printer on?',
    '/new',
    'Which VLAN is the printer on?',
  ]) {
    await runAlone(folder, message)
  }
  const model = scriptedModel()
  await using agent = await openAgent({ model, workspace: folder })
  await agent.say('And now?')
  const asked = model.doGenerateCalls[0]?.prompt
    .filter(({ role }) => role === 'user')
    .map(({ content }) => JSON.stringify(content))
  expect(asked).toEqual([expect.stringContaining('Which VLAN'), expect.stringContaining('And now?')])
  const files = readdirSync(join(folder, '.mnemark', 'sessions')).filter((name) => name.endsWith('.jsonl'))
  expect(files).toHaveLength(2)
})

test('a long talk is compacted, and every request has its calls answered', async () => {
  const folder = notesFolder()
  const model = scriptedModel()
  await using agent = await openAgent({ model, workspace: folder, window: 6_000 })
  for (let turn = 0; turn < 30; turn += 1)
    await agent.say(`Remember: box ${turn} stands in room ${turn * 7}, ${'beside the window '.repeat(20)}`)
  const prompts = model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt))
  expect(prompts.some((prompt) => prompt.includes('Summary of this conversation up to here'))).toBe(true)
  expect(Math.max(...prompts.map((prompt) => prompt.length))).toBeLessThan(60_000)
  expect(await agent.say('/compact')).toBe('Done.')
})

test('a chat typed line by line: what was decided is in the notes of the day before a summary takes its place', () => {
  const folder = notesFolder()
  const decided = (turn: number): string =>
    `We decided: box ${turn} goes to room ${turn * 7}. ${'It stood beside the window. '.repeat(60)}`
  const lines = [...Array.from({ length: 90 }, (_, turn) => decided(turn)), '', '/compact keep the rooms', '/reset', 'And now?']
  const argv = ['--conditions=mnemark-source', '--no-warnings', join(import.meta.dirname, 'agent.ts'), '', folder]
  const options = { input: lines.join('\n'), env: { PATH: process.env.PATH, HOME: folder }, encoding: 'utf8' } as const
  const answers = execFileSync(process.execPath, argv, options).trimEnd().split('\n')
  expect(answers.slice(-3)).toEqual(['Done.', 'Done.', expect.stringMatching(/^My notes say:/)])
  expect(answers).toHaveLength(93)
  const [log = ''] = readdirSync(join(folder, 'memory'))
  const kept = readFileSync(join(folder, 'memory', log), 'utf8')
  for (const turn of [0, 89]) expect(kept.split(`box ${turn} goes`)).toHaveLength(2)
})
