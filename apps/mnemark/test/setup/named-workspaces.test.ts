import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'

const ELSEWHERE = { cwd: '/' }

function userFile(box: Sandbox): string {
  return join(box.home, '.config/mnemark/mnemark.json5')
}

describe('P64: workspaces by name', () => {
  test('a named workspace is searched from anywhere, read and written too, in any script of its name', () => {
    const box = new Sandbox({ 'MEMORY.md': '# Router\n\nThe VLAN of guests is ten.\n' })
    for (const name of ['notes', 'ملاحظات', '笔记', 'Café']) {
      expect(box.run(['workspace', 'add', name, '../notes'])).toMatchObject({ code: 0, stderr: '' })
      expect(box.json(['search', '-w', name, 'vlan'], ELSEWHERE).document.hits?.['0']?.path).toBe('MEMORY.md')
    }
    // As a Mac types it: the accent apart.
    expect(box.json(['search', '-w', 'Cafe\u0301', 'vlan'], ELSEWHERE).code).toBe(0)
    // As a shell's completion reads it: nothing but the name.
    expect(box.run(['workspace', 'list']).stdout).toContain(`\nملاحظات\t${box.workspace}\n`)
    expect(box.run(['get', '-w', 'notes', 'MEMORY.md'], ELSEWHERE).stdout).toContain('VLAN of guests')
    expect(box.json(['append', '-w', 'notes', 'tea at five', '--to', 'memory'], ELSEWHERE).code).toBe(0)
    expect(readFileSync(join(box.workspace, 'MEMORY.md'), 'utf8')).toContain('tea at five')
    expect(box.json(['status', '-w', 'notes'], ELSEWHERE).document.workspace).toMatchObject({ root: { realPath: box.workspace } })
  })

  test('list says name and folder, one a line, and a folder that is gone is named', () => {
    const box = new Sandbox({ 'a.md': 'x\n' })
    expect(box.json(['workspace', 'list'])).toMatchObject({ code: 1, document: { workspaces: [] } })
    mkdirSync(join(box.root, 'work'))
    box.run(['workspace', 'add', 'work', '../work'])
    box.run(['workspace', 'add', 'notes', '.'])
    const work = join(box.root, 'work')
    expect(box.run(['workspace', 'list'])).toEqual({ code: 0, stdout: `notes\t${box.workspace}\nwork\t${work}\n`, stderr: '' })
    renameSync(work, join(box.root, 'moved'))
    expect(box.run(['workspace', 'list']).stderr).toContain(`${work}, named work, is not a folder any more`)
    expect(box.json(['workspace', 'list']).document.workspaces).toMatchObject([{ exists: true }, { name: 'work', exists: false }])
    const gone = box.run(['search', '-w', 'work', 'x'])
    expect(gone).toMatchObject({ code: 2, stdout: '' })
    expect(gone.stderr).toContain(`the workspace "work" is ${work}, which is not a folder any more`)
  })

  test('a name that is not there suggests near ones, and a taken or odd one is refused', () => {
    const box = new Sandbox({ 'a.md': 'x\n' })
    box.run(['workspace', 'add', 'notes', '.'])
    expect(box.run(['search', '-w', 'ntoes', 'x']).stderr).toMatch(
      /^mnemark: no workspace is named "ntoes"; did you mean notes\?\n/,
    )
    expect(box.run(['search', '-w', 'quite-other', 'x']).stderr).toContain('"quite-other"; there is notes')
    expect(box.run(['search', '-w', 'note', 'x']).stderr).toContain('did you mean notes?')
    expect(box.run(['workspace', 'remove', 'Notez'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean notes?'),
    })
    expect(box.run(['search', '-word'])).toMatchObject({ code: 2, stderr: expect.stringContaining('goes after --') })
    expect(box.run(['workspace', 'add', 'notes', '/'])).toMatchObject({ code: 2, stderr: expect.stringContaining('already') })
    expect(box.json(['workspace', 'add', 'notes', '.']).document).toMatchObject({ status: 'exists' })
    for (const name of ['', 'all', '__proto__', 'a b', '../up', '-x', '.hidden', 'a\tb', 'x'.repeat(65)]) {
      expect([name, box.run(['workspace', 'add', '--', name, '.']).code]).toEqual([name, 2])
    }
    expect(box.run(['workspace', 'add', 'nowhere', './nowhere'])).toMatchObject({ code: 2 })
    expect(box.run(['search', '-w', 'notes', '--workspace', '.', 'x']).code).toBe(2)
    expect(box.run(['search', '-w', 'constructor', 'x']).code).toBe(2)
  })

  test('the rest of the configuration stays byte for byte, and a new file is for its owner', () => {
    const box = new Sandbox({ 'a.md': 'x\n' })
    box.run(['workspace', 'add', 'notes', '.'])
    expect(statSync(userFile(box)).mode & 0o777).toBe(0o600)
    const before =
      "// mine\n{\n  agents: { defaults: { userTimezone: 'Asia/Riyadh' } }, // home\n  workspaces: {\n    old: '~/old', // gone\n  },\n}\n"
    writeFileSync(userFile(box), before)
    expect(box.run(['workspace', 'add', 'notes', '.'])).toMatchObject({ code: 0 })
    const added = readFileSync(userFile(box), 'utf8')
    expect(added.startsWith(before.slice(0, before.indexOf("'~/old'") + 7))).toBe(true)
    expect(added).toContain('// gone')
    expect(box.run(['workspace', 'remove', 'notes']).code).toBe(0)
    expect(readFileSync(userFile(box), 'utf8').replace(/\s/g, '')).toBe(before.replace(/\s/g, ''))
    expect(box.json(['workspace', 'list']).document.workspaces).toEqual([
      { name: 'old', folder: join(box.home, 'old'), exists: false },
    ])
  })

  test.each(['{}', '{"workspaces":{"old":"/old"},"memory":{"backend":"builtin"}}', '{workspaces:{a:"/a",old:"/old",b:"/b"}}'])(
    'a name goes out of a configuration in one line: %s',
    (text) => {
      const box = new Sandbox({ 'a.md': 'x\n' })
      box.run(['workspace', 'add', 'first', '.'])
      writeFileSync(userFile(box), text)
      const names = (): number => Object.keys(box.json(['workspace', 'list']).document.workspaces ?? {}).length
      const before = names()
      expect(box.run(['workspace', 'add', 'notes', '.']).code).toBe(0)
      expect(names()).toBe(before + 1)
      expect(box.run(['workspace', 'remove', 'notes'])).toMatchObject({ code: 0, stderr: '' })
      expect(names()).toBe(before)
      expect(box.run(['workspace', 'remove', 'old']).code).toBe(before === 0 ? 2 : 0)
      expect(names()).toBe(Math.max(0, before - 1))
    },
  )

  test('naming is not trusting, and a folder gives no names', () => {
    const box = new Sandbox({ 'a.md': 'x\n' })
    box.write('mnemark.json5', "{ memory: { backend: 'qmd' }, workspaces: { other: '/' } }")
    box.run(['workspace', 'add', 'notes', '.'])
    const { stderr, code } = box.run(['search', '-w', 'notes', 'x'], ELSEWHERE)
    expect(code).toBe(0)
    expect(stderr).toContain('memory.backend')
    expect(stderr).toContain("workspaces counts in the user's own configuration only")
    expect(box.run(['search', '-w', 'other', 'x']).code).toBe(2)
  })
})
