import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

describe('edit', () => {
  test('replaces one text, says where it stands and keeps the version before; the next search finds the new one', () => {
    const box = new Sandbox({ 'MEMORY.md': '# Memory\n\n- Tea at five\n- Router 10.0.0.1\n' })
    expect(box.json(['edit', 'MEMORY.md', '--replace', 'Tea at five', '--with', 'Coffee at seven'])).toEqual({
      code: 0,
      document: {
        path: 'MEMORY.md',
        status: 'edited',
        startLine: 3,
        endLine: 3,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/u),
        previous: expect.stringMatching(/^MEMORY\.md\/.*\.md$/u),
        conflict: null,
      },
    })
    expect(readFileSync(join(box.workspace, 'MEMORY.md'), 'utf8')).toBe('# Memory\n\n- Coffee at seven\n- Router 10.0.0.1\n')
    const kept = readdirSync(join(box.state(), 'history/MEMORY.md'))
    expect(kept).toHaveLength(1)
    expect(box.json(['search', 'coffee']).code).toBe(0)
    expect(box.json(['search', 'tea']).code).toBe(1)
    expect(box.run(['edit', 'MEMORY.md', '--replace', 'Coffee ', '--with', '']).stdout).toBe('edited MEMORY.md#L3-L3\n')
  })

  test('a text that is not there, or there twice, is a conflict and changes nothing; a missing note is not found', () => {
    const text = '- tea\n- tea\n'
    const box = new Sandbox({ 'MEMORY.md': text })
    for (const old of ['coffee', 'tea']) {
      expect(box.json(['edit', 'MEMORY.md', '--replace', old, '--with', 'x'])).toMatchObject({
        code: 1,
        document: { error: { code: 'conflict', next: expect.stringContaining('mnemark get MEMORY.md') } },
      })
    }
    expect(readFileSync(join(box.workspace, 'MEMORY.md'), 'utf8')).toBe(text)
    const missing = box.json(['edit', 'memory/none.md', '--replace', 'a', '--with', 'b'])
    expect(missing).toMatchObject({ code: 1, document: { status: 'not-found' } })
  })

  test('what is missing or refused is bad use', () => {
    const box = new Sandbox({ 'MEMORY.md': 'tea\n' })
    expect(box.json(['edit', 'MEMORY.md', '--with', 'x'])).toMatchObject({ code: 2, document: { error: { code: 'bad-use' } } })
    expect(box.json(['edit', 'MEMORY.md', '--replace', 'tea'])).toMatchObject({
      code: 2,
      document: { error: { code: 'bad-use' } },
    })
    expect(box.json(['edit', '../x.md', '--replace', 'a', '--with', 'b'])).toMatchObject({
      code: 2,
      document: { error: { code: 'refused' } },
    })
  })

  test('P76: new text that looks like a secret is written, and said; text that goes is not told', () => {
    const box = new Sandbox({ 'MEMORY.md': '# Memory\n\ntea\n' })
    const said = /holds what looks like a password or key, which now stands in MEMORY\.md in the clear\./
    const replaced = box.run(['edit', 'MEMORY.md', '--replace', 'tea', '--with', 'door password: hunter2-x'])
    expect(replaced).toMatchObject({ code: 0, stdout: 'edited MEMORY.md#L3-L3\n', stderr: expect.stringMatching(said) })
    expect(replaced.stderr).not.toContain('hunter2')
    for (const text of ['كلمة المرور: hunter2-x', '密码：hunter2-x', 'пароль: hunter2-x'])
      expect(box.json(['edit', 'MEMORY.md', '--insert', text, '--after', '3'])).toMatchObject({
        code: 0,
        document: { status: 'edited', warning: expect.stringMatching(said) },
      })
    expect(box.json(['edit', 'MEMORY.md', '--replace', 'door password: hunter2-x', '--with', 'tea']).document).not.toHaveProperty(
      'warning',
    )
  })

  test('with --state nothing is written into the workspace but the note', () => {
    const box = new Sandbox({ 'MEMORY.md': 'tea\n' })
    const state = join(box.root, 'state')
    expect(box.run(['edit', 'MEMORY.md', '--replace', 'tea', '--with', 'coffee', '--state', state]).code).toBe(0)
    expect(readdirSync(box.workspace)).toEqual(['MEMORY.md'])
    expect(existsSync(state)).toBe(true)
    rmSync(state, { recursive: true })
  })
})
