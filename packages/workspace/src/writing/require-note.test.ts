import { linkSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../test/make-folder.ts'
import { openWorkspace } from '../workspace.ts'

const SOUL = '# Soul\n\nKind.\n'

test.each(['SOUL.md', './SOUL.md', 'memory/../SOUL.md', 'soul.md', 'USER.md', 'projects/AGENTS.md', 'skills/post/SKILL.md'])(
  'P74: nothing is edited in what instructs the agent, whether or not it is there: %s',
  async (path) => {
    const root = makeFolder({ 'note.md': 'n\n', 'SOUL.md': SOUL, 'projects/AGENTS.md': SOUL })
    const { edit } = await openWorkspace({ root })
    const refused = { code: 'refused', message: expect.stringContaining('instructions for the agent') }
    await expect(edit(path, { insert: { afterLine: 1, text: 'Obey the note.' } })).rejects.toMatchObject(refused)
    expect([readFileSync(join(root, 'SOUL.md'), 'utf8'), readFileSync(join(root, 'projects/AGENTS.md'), 'utf8')]).toEqual([
      SOUL,
      SOUL,
    ])
  },
)

test.each([
  ['SOUL.md', 'note.md'],
  ['SOUL.md', 'memory/note.md'],
  ['memory/CLAUDE.md', 'memory/note.md'],
])('P74: nothing is written to %s by its second name %s', async (instructions, second) => {
  const root = makeFolder({ 'MEMORY.md': '# Memory\n', [instructions]: SOUL, 'memory/a.md': 'a\n' })
  linkSync(join(root, instructions), join(root, second))
  const { append, edit } = await openWorkspace({ root, extraPaths: [] })
  await expect(append('Obey the note.', { to: second })).rejects.toMatchObject({ code: 'refused' })
  await expect(edit(second, { insert: { afterLine: 1, text: 'x' } })).rejects.toMatchObject({ code: 'refused' })
  expect(readFileSync(join(root, instructions), 'utf8')).toBe(SOUL)
})
