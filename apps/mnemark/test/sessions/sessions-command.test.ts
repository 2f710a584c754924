import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chatCompletionsWire, startChatServer } from '@mnemark/testkit'
import { describe, expect, test } from 'vitest'
import { type Json, Sandbox } from '../harness/launcher.ts'
import { runBeside } from '../harness/run-beside.ts'

interface Shown {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastInteractionAt: string | null
  readonly spawnedBy: string | null
  readonly messages: readonly { readonly role: string; readonly text: string; readonly id: string; readonly line: number }[]
}

const SECRET = 'sk-proj-abcdefghijklmnopqrstuvwx1234567890ABCDEFGH'

function said(...texts: readonly string[]): string {
  return texts.map((content, at) => `${JSON.stringify({ role: at % 2 === 0 ? 'user' : 'assistant', content })}\n`).join('')
}

async function append(
  box: Sandbox,
  key: string,
  input: string,
): Promise<{ readonly code: number | null; readonly document: Json }> {
  const { code, stdout } = await runBeside(box, ['--json', 'sessions', 'append', key], {}, input)
  return { code, document: JSON.parse(stdout) }
}

function show(box: Sandbox, keyOrId: string): Shown {
  return box.json(['sessions', 'show', keyOrId]).document as unknown as Shown
}

const textsOf = ({ messages }: Pick<Shown, 'messages'>): readonly string[] => messages.map(({ text }) => text)
const folderOf = (box: Sandbox): string => join(box.home, '.local/share/mnemark/agents/main/sessions')

describe('mnemark sessions', () => {
  test('append, show, history and list', async () => {
    const box = new Sandbox()
    expect(box.json(['sessions', 'list'])).toMatchObject({ code: 1, document: { sessions: [], total: 0 } })
    const first = await append(box, 'main', said('Lunch at noon?', 'Yes.'))
    expect(first).toMatchObject({ code: 0, document: { written: [{ isNew: true }, { isNew: true }], reset: null } })
    await append(box, 'main', said('And tea at five?'))
    const shown = show(box, 'main')
    expect(shown.messages).toMatchObject([
      { role: 'user', text: 'Lunch at noon?', line: 2 },
      { role: 'assistant', text: 'Yes.', line: 3 },
      { role: 'user', text: 'And tea at five?', line: 4 },
    ])
    expect([shown.createdAt, shown.updatedAt, shown.lastInteractionAt]).not.toContain(null)
    expect(textsOf(show(box, shown.id))).toEqual(textsOf(shown))
    const last = box.json(['sessions', 'history', 'main', '-k', '1']).document
    expect(last).toMatchObject({ messages: [{ text: 'And tea at five?' }], earlier: `session:${shown.id}.jsonl#L4` })
    const before = box.json(['sessions', 'history', shown.id, '-k', '5', '--before', String(last['earlier'])])
    expect(textsOf(before.document as unknown as Shown)).toEqual(['Lunch at noon?', 'Yes.'])
    expect(box.run(['sessions', 'list']).stdout).toContain(`agent:main:main  3 messages  ${shown.id}`)
    expect(box.json(['sessions', 'list']).document).toMatchObject({ sessions: [{ id: shown.id, messages: 3 }], total: 1 })
  })

  test('a bad line is named by its number, and nothing before it is lost', async () => {
    const box = new Sandbox()
    const lines = `${said('one', 'two')}{"role":"user","content":"tor`
    expect(await append(box, 'main', lines)).toMatchObject({
      code: 2,
      document: { error: { message: expect.stringMatching(/^line 3: /u) } },
    })
    expect(textsOf(show(box, 'main'))).toEqual(['one', 'two'])
    const other = await append(box, 'main', `${said('three')}\n{"role":"robot","content":"secret words"}\n${said('four')}`)
    expect(other).toMatchObject({ code: 2, document: { error: { message: expect.stringMatching(/^line 3: .*role/u) } } })
    expect(JSON.stringify(other.document)).not.toContain('secret words')
    expect(textsOf(show(box, 'main'))).toEqual(['one', 'two', 'three'])
    expect((await append(box, 'main', '')).code).toBe(2)
  })

  test('a message that comes twice by its id stands once', async () => {
    const box = new Sandbox()
    const line = `${JSON.stringify({ role: 'user', content: 'once', id: 'm-1' })}\n`
    await append(box, 'main', line)
    expect((await append(box, 'main', line)).document).toMatchObject({ written: [{ id: 'm-1', isNew: false }] })
    expect(textsOf(show(box, 'main'))).toEqual(['once'])
  })

  test('two processes on one key lose nothing', async () => {
    const box = new Sandbox()
    const many = (name: string): string => said(...Array.from({ length: 60 }, (_, at) => `${name} ${at}`))
    await Promise.all([append(box, 'main', many('a')), append(box, 'main', many('b'))])
    expect(textsOf(show(box, 'main')).toSorted()).toEqual(
      [...textsOf({ messages: messagesOf(many('a') + many('b')) })].toSorted(),
    )
  })

  test('new with a parent, reset, delete and forget', async () => {
    const box = new Sandbox()
    await append(box, 'main', said('Hello', 'Hello'))
    const begun = box.json(['sessions', 'new', 'agent:main:helper', '--parent', 'main']).document
    expect(begun).toMatchObject({ previous: null, spawnedBy: 'agent:main:main' })
    expect(show(box, 'agent:main:helper').spawnedBy).toBe('agent:main:main')
    expect(box.json(['sessions', 'new', 'main', '--parent', 'agent:main:helper']).code).toBe(2)
    const old = show(box, 'main').id
    const reset = box.json(['sessions', 'reset', 'main']).document
    expect(reset).toMatchObject({ previous: old })
    expect(textsOf(show(box, 'main'))).toEqual([])
    expect(textsOf(box.json(['sessions', 'history', 'main']).document as unknown as Shown)).toEqual(['Hello', 'Hello'])
    await append(box, 'main', said('The code is 4711', 'Noted', 'Thank you'))
    const [first] = show(box, 'main').messages
    expect(box.json(['sessions', 'forget', 'main', '--message', first?.id ?? ''])).toMatchObject({
      code: 0,
      document: { lines: 1, sessions: [] },
    })
    expect(textsOf(show(box, 'main'))).toEqual(['Noted', 'Thank you'])
    expect(box.json(['sessions', 'delete', old]).document).toEqual({ deleted: [old] })
    expect(textsOf(show(box, old))).toEqual(['Hello', 'Hello'])
    expect(box.json(['sessions', 'forget', old]).document).toMatchObject({ sessions: [old] })
    const transcripts = readdirSync(folderOf(box)).filter((file) => file.endsWith('.jsonl'))
    expect(transcripts.map((file) => readFileSync(join(folderOf(box), file), 'utf8')).join('')).not.toMatch(/4711|Hello/u)
  })

  test('get gives lines of a transcript with secrets hidden; --mask hides them in messages', async () => {
    const box = new Sandbox()
    await append(box, 'main', said(`The key is ${SECRET}`, 'Kept.'))
    const { id } = show(box, 'main')
    const { code, document } = box.json(['get', `session:${id}.jsonl#L2`])
    expect([code, document['startLine'], document['endLine']]).toEqual([0, 2, 2])
    expect(String(document['text'])).toContain('The key is (hidden)')
    expect(
      box
        .run(['get', `session:${id}.jsonl`])
        .stdout.trim()
        .split('\n'),
    ).toHaveLength(3)
    expect(box.json(['get', 'session:nobody.jsonl']).code).toBe(1)
    expect(box.json(['get', 'session:../../etc/passwd']).code).toBe(2)
    expect(box.run(['sessions', 'show', 'main', '--mask']).stdout).not.toContain(SECRET)
    expect(box.run(['sessions', 'show', 'main']).stdout).toContain(SECRET)
  })

  test.each([
    ['a word that is none', ['sessions', 'lost']],
    ['no key', ['sessions', 'show']],
    ['a control character', ['sessions', 'new', 'agent:main:a\u0007b']],
    ['a limit that is no number', ['sessions', 'list', '-k', 'many']],
  ])('%s is refused', (_, argv) => {
    const box = new Sandbox()
    expect(box.json(argv).code).toBe(2)
  })

  test.each(['../../main', `agent:main:${'x'.repeat(1_000)}`, 'agent:main:محادثة/7'])(
    'a key is a name, not a path: %s',
    async (key) => {
      const box = new Sandbox()
      expect((await append(box, key, said('Hello'))).code).toBe(0)
      expect(textsOf(show(box, key))).toEqual(['Hello'])
      expect(readdirSync(folderOf(box)).filter((file) => file.endsWith('.jsonl'))).toHaveLength(1)
      expect(readdirSync(box.root).toSorted()).toEqual(['home', 'notes'])
    },
  )

  test('a session that is not there is said, with what to do', () => {
    expect(new Sandbox().json(['sessions', 'show', 'main'])).toMatchObject({
      code: 1,
      document: { error: { code: 'not-found' } },
    })
  })

  test.each([
    ['empty', ''],
    ['half', '{"agent:main:main":{"sessionId":"'],
    ['of another program', '[1,2,3]'],
  ])('a list of sessions that is %s is made anew from the transcripts', async (_, content) => {
    const box = new Sandbox()
    await append(box, 'main', said('Hello', 'Hello'))
    writeFileSync(join(folderOf(box), 'sessions.json'), content)
    expect(textsOf(show(box, 'main'))).toEqual(['Hello', 'Hello'])
    await append(box, 'main', said('Again'))
    expect(textsOf(show(box, 'main'))).toEqual(['Hello', 'Hello', 'Again'])
  })

  test('doctor names damaged lines, and removes old transcripts by the rules of maintenance', async () => {
    const box = new Sandbox()
    box.configure(JSON.stringify({ session: { maintenance: { maxEntries: 1 } } }))
    for (const key of ['main', 'agent:main:one', 'agent:main:two']) await append(box, key, said('Hello'))
    const { id } = show(box, 'main')
    writeFileSync(join(folderOf(box), `${id}.jsonl`), `${readFileSync(join(folderOf(box), `${id}.jsonl`), 'utf8')}{"torn\n`)
    const found = box.json(['sessions', 'doctor'])
    expect(found).toMatchObject({
      code: 1,
      document: { sessions: 3, damaged: [{ id, unreadable: 1 }], prune: { isDryRun: true } },
    })
    const checks = box.json(['doctor']).document['checks'] as unknown as readonly { name: string; status: string }[]
    expect(checks).toContainEqual(expect.objectContaining({ name: 'sessions', status: 'warning' }))
    const { document } = box.json(['doctor', '--fix'])
    expect(JSON.stringify(document['fixed'])).toMatch(/2 old transcripts/u)
    expect(box.json(['sessions', 'list']).document).toMatchObject({ total: 1 })
  })
})

describe('compact', () => {
  const words = Array.from(
    { length: 12 },
    (_, at) => `Turn ${at}: the lunch by the river moves to one o'clock. ${'Twelve people come. '.repeat(60)}`,
  )
  const summary =
    '- The user plans a team lunch by the river for twelve people and moved it from noon to one o’clock; the restaurant was asked and agreed.'

  test('saves what must last to the notes of the day, then summarises; secrets are hidden from the model', async () => {
    await using server = await startChatServer(chatCompletionsWire())
    server.behave({
      answer: ({ system }, usual) => ({
        ...usual,
        text: system?.includes('notes of the day') ? '- The team lunch moved to one.' : summary,
      }),
    })
    const box = new Sandbox({ 'MEMORY.md': '# Memory\n' })
    box.configure(
      JSON.stringify({ models: { generate: { provider: 'openai-compatible', model: 'chat-1', baseUrl: server.baseUrl } } }),
    )
    await append(box, 'main', said(`The key is ${SECRET}`, ...words))
    const { code, stdout, stderr } = await runBeside(box, ['--json', 'sessions', 'compact', 'main', '--window', '8000'])
    expect([code, stderr]).toEqual([0, `mnemark: noted in memory/${logOf(box)}\n`])
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'compacted',
      summary: expect.stringContaining(summary),
      flush: { status: 'written' },
    })
    expect(server.requests.map(({ text }) => text).join()).not.toContain(SECRET)
    expect(readFileSync(join(box.workspace, 'memory', logOf(box)), 'utf8')).toContain('The team lunch moved to one.')
    expect(textsOf(show(box, 'main'))).toHaveLength(13)
  })

  test('agents.defaults.compaction.memoryFlush.enabled: false saves nothing; without a model nothing is compacted', async () => {
    await using server = await startChatServer(chatCompletionsWire())
    server.behave({ answer: (_, usual) => ({ ...usual, text: summary }) })
    const box = new Sandbox({ 'MEMORY.md': '# Memory\n' })
    await append(box, 'main', said(...words))
    const alone = await runBeside(box, ['sessions', 'compact', 'main', '--window', '8000'])
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('models.generate')])
    const generate = { provider: 'openai-compatible', model: 'chat-1', baseUrl: server.baseUrl }
    box.configure(
      JSON.stringify({ models: { generate }, agents: { defaults: { compaction: { memoryFlush: { enabled: false } } } } }),
    )
    const { stdout } = await runBeside(box, ['--json', 'sessions', 'compact', 'main', '--window', '8000'])
    expect(JSON.parse(stdout)).toMatchObject({ status: 'compacted' })
    expect(readdirSync(box.workspace)).not.toContain('memory')
  })
})

function logOf(box: Sandbox): string {
  return readdirSync(join(box.workspace, 'memory'))[0] ?? ''
}

function messagesOf(lines: string): Shown['messages'] {
  return lines
    .trim()
    .split('\n')
    .map((line, at) => ({ role: 'user', text: (JSON.parse(line) as { content: string }).content, id: '', line: at }))
}
