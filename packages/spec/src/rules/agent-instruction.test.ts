import { expect, test } from 'vitest'
import { isAgentInstruction } from './agent-instruction.ts'

test.each([
  'SOUL.md',
  'soul.md',
  'Soul.MARKDOWN',
  '\u017fOUL.md',
  'HEARTBEAT.md',
  'USER.md',
  'TOOLS.md',
  'AGENTS.md',
  'agents.override.md',
  'projects/CLAUDE.md',
  'projects/claude.local.md',
  'docs/gemini.markdown',
  'skills/post/SKILL.md',
  'odd\nfolder/AGENTS.md',
])('P74: %s instructs an agent on every file system', (path) => {
  expect([isAgentInstruction(path, false), isAgentInstruction(path, true)]).toEqual([true, true])
})

test.each(['user.md', 'tools.md', 'Dreams.md', 'boot.md', 'skill.md', 'skills/post/Skill.md', 'skills/post/\u017f\u212aill.md'])(
  'P74: %s does where the file system takes it for the one in capitals, and is a note of a person elsewhere',
  (path) => {
    expect([isAgentInstruction(path, false), isAgentInstruction(path, true)]).toEqual([false, true])
  },
)

test.each([
  'MEMORY.md',
  'memory/soul.md',
  'memory/USER.md',
  'a soul.md',
  'SOUL.md.bak',
  'soulful.md',
  'روح.md',
  '灵魂.md',
  'душа.md',
])('P74: %s is a note', (path) => {
  expect([isAgentInstruction(path, false), isAgentInstruction(path, true)]).toEqual([false, false])
})
