import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WorkspaceError } from '@mnemark/spec'
import { openWorkspace, type Workspace } from '@mnemark/workspace'
import { CommandError } from '../../src/failure.ts'
import { moveToTrash } from '../../src/state/move-to-trash.ts'

/** Stands in every file outside, and in no note. */
const OUTSIDE = 'outside-7f3a'
/** Written by every round, and stands in no file outside. */
const INSIDE = 'inside-41c9'

export interface LinkReport {
  readonly rounds: number
  /** Operations that were done, and that were refused, failed or found nothing because of the swaps. */
  readonly done: number
  readonly refused: number
  /** Readings that held text from outside. */
  readonly readOutside: number
  /** Files outside that were made, changed or removed. */
  readonly writtenOutside: number
  /** Failures of other kinds than a refusal in words. */
  readonly unexpected: readonly string[]
}

/** Writes, reads and deletes notes while another process swaps their folder, and the notes, with links that lead outside. */
export async function runLinkRounds(rounds: number): Promise<LinkReport> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'mnemark-links-')))
  try {
    return await runIn(place, rounds)
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function runIn(place: string, rounds: number): Promise<LinkReport> {
  const [root, outside] = [join(place, 'notes'), join(place, 'outside')]
  prepare(root, outside)
  const before = treeOf(outside)
  const swapper = fork(new URL('swapper.ts', import.meta.url), [root, 'memory/deep', 'memory/swapped.md'], {
    execArgv: ['--no-warnings'],
  })
  const round = new LinkRound(root, join(place, 'state'))
  try {
    await once(swapper, 'message')
    for (let number = 0; number < rounds; number += 1) {
      await round.run(number)
      if (number % 50 === 49) await atRest(swapper, () => round.tidy())
    }
  } finally {
    const ended = once(swapper, 'exit')
    swapper.disconnect()
    await ended
  }
  const after = treeOf(outside)
  const paths = new Set([...before.keys(), ...after.keys()])
  const writtenOutside = [...paths].filter((path) => before.get(path) !== after.get(path)).length
  return { rounds, ...round.report(), writtenOutside }
}

/** Between two swaps, so that tidying up follows no link either. */
async function atRest(swapper: ChildProcess, action: () => void): Promise<void> {
  swapper.send('rest')
  await once(swapper, 'message')
  action()
  swapper.send('go on')
}

function prepare(root: string, outside: string): void {
  mkdirSync(join(root, 'memory/deep'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(root, 'MEMORY.md'), '# Memory\n')
  writeFileSync(join(root, 'memory/swapped.md'), '# Swapped\n\nold text\n')
  for (const name of ['a.md', 'edited.md']) writeFileSync(join(root, 'memory/deep', name), '# Deep\n\nold text\n')
  for (const name of ['a.md', 'edited.md', 'gone.md', 'swapped.md']) {
    writeFileSync(join(outside, name), `# ${OUTSIDE}\n\nold text ${OUTSIDE}\n`)
  }
  symlinkSync(outside, join(root, 'memory/deep.link'))
  symlinkSync(join(outside, 'swapped.md'), join(root, 'memory/swapped.md.link'))
}

function treeOf(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path, entry.isFile() ? readFileSync(path, 'utf8') : 'not a file']
    }),
  )
}

class LinkRound {
  readonly #root: string
  readonly #state: string
  #notes: Promise<Workspace>
  #done = 0
  #refused = 0
  #readOutside = 0
  readonly #unexpected: string[] = []

  constructor(root: string, state: string) {
    this.#root = root
    this.#state = state
    this.#notes = openWorkspace({ root, historyDir: join(state, 'history') })
  }

  report(): Pick<LinkReport, 'done' | 'refused' | 'readOutside' | 'unexpected'> {
    const [done, refused, readOutside, unexpected] = [this.#done, this.#refused, this.#readOutside, this.#unexpected]
    return { done, refused, readOutside, unexpected }
  }

  async run(number: number): Promise<void> {
    const notes = await this.#notes
    const text = `${INSIDE} ${number}`
    await this.#attempt(() => notes.append(text, { to: `memory/deep/new-${number}.md` }))
    await this.#attempt(() => notes.append(text, { to: `memory/deep/made-${number}/new.md` }))
    for (const path of ['memory/deep/a.md', 'memory/swapped.md']) {
      await this.#attempt(() => notes.append(text, { to: path }))
      await this.#attempt(() => notes.edit(path, { insert: { afterLine: 0, text: `${text} edited\n` } }))
      await this.#attempt(() => notes.reader.read({ path, lines: 1_000, caller: { agentId: 'main' } }))
    }
    for await (const item of this.#listed(notes)) {
      if (item !== null) await this.#attempt(async () => (await notes.source.read(item)).text)
    }
    await this.#attempt(async () => {
      moveToTrash(this.#root, `memory/deep/new-${number}.md`, { state: this.#state, nowMs: number })
    })
    await this.#attempt(async () => {
      moveToTrash(this.#root, 'memory/deep/gone.md', { state: this.#state, nowMs: number })
    })
  }

  /** The two notes the swaps are about, as a look at single paths lists them. */
  async *#listed({
    source,
  }: Workspace): ReturnType<typeof source.list> extends AsyncIterable<infer Item>
    ? AsyncGenerator<Exclude<Item, { skipped: string }> | null>
    : never {
    const ids = ['memory/deep/a.md', 'memory/swapped.md'].map((path) => ({ source: 'memory', path }))
    try {
      for await (const item of source.stat?.(ids) ?? []) yield 'skipped' in item ? null : item
    } catch (error) {
      this.#judge(error)
    }
  }

  /** Notes grow and gather by the round; short ones keep the rounds as fast as the swaps. */
  tidy(): void {
    for (const entry of readdirSync(join(this.#root, 'memory'), { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      for (const name of readdirSync(join(this.#root, 'memory', entry.name))) {
        if (/^(?:new|made)-/.test(name)) rmSync(join(this.#root, 'memory', entry.name, name), { recursive: true, force: true })
      }
    }
  }

  async #attempt(action: () => Promise<unknown>): Promise<void> {
    try {
      const answer = JSON.stringify((await action()) ?? null)
      this.#done += 1
      if (answer.includes(OUTSIDE)) this.#readOutside += 1
    } catch (error) {
      this.#judge(error)
    }
  }

  #judge(error: unknown): void {
    this.#refused += 1
    if (WorkspaceError.isInstance(error) || error instanceof CommandError) return
    this.#unexpected.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}
