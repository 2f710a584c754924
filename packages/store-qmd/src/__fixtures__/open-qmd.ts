import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CallerContext, SearchReply } from '@mnemark/spec'
import { onTestFinished } from 'vitest'
import { listFiles } from '../collections/list-files.ts'
import { type CollectionSettings, planCollections } from '../collections/qmd-collection.ts'
import { type QmdHome, qmdHome } from '../home.ts'
import { createQmdBackend, type QmdBackend } from '../qmd-backend.ts'
import type { QmdBackendOptions } from '../options.ts'
import { writeRecord } from '../upkeep/upkeep-record.ts'
import { folderReader } from './folder-reader.ts'

export const FAKE: string = fileURLToPath(new URL('./fake-qmd.mjs', import.meta.url))
/** The program from this package's development dependencies. */
export const REAL: string = realProgram() ?? 'qmd'
export const hasReal: boolean = existsSync(REAL)
if (!hasReal) console.warn('The qmd program is not installed (pnpm install): tests with the real program are skipped.')

function realProgram(): string | null {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve('@tobilu/qmd'))), '../bin/qmd')
  } catch {
    return null
  }
}

export const OWNER: CallerContext = { agentId: 'main', chatType: 'direct' }

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-qmd-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function writeNotes(folder: string, notes: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(notes)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

export interface OpenQmd {
  readonly qmd: QmdBackend
  readonly home: QmdHome
  readonly workspace: string
  readonly logged: readonly string[]
  write(notes: Readonly<Record<string, string>>): void
  search(text: string, more?: object): Promise<SearchReply>
}
export interface OpenQmdOptions extends Partial<Omit<QmdBackendOptions, 'home' | 'collections' | 'reader'>> {
  readonly notes?: Readonly<Record<string, string>>
  readonly place?: string
  readonly agentId?: string
  readonly collections?: Omit<CollectionSettings, 'workspace'>
}

/** A backend over a new workspace, with the real program, closed when the test ends. */
export function openQmd(options: OpenQmdOptions = {}): OpenQmd {
  const { notes = { 'MEMORY.md': 'The router has VLAN 10.\n' }, place = temporaryFolder(), agentId = 'main', collections, ...rest } = options
  const workspace = join(place, 'workspace')
  const home = qmdHome(join(place, 'state'), agentId)
  writeNotes(workspace, notes)
  const planned = planCollections({ workspace, ...collections })
  const logged: string[] = []
  const qmd = createQmdBackend({
    home,
    collections: planned,
    reader: folderReader(
      workspace,
      planned.map(({ folder }) => folder),
    ),
    command: REAL,
    // Ignores the user's models, and allows for a loaded machine.
    environment: { ...process.env, XDG_CACHE_HOME: join(place, 'users-cache') },
    limits: { timeoutMs: 20_000 },
    log: (message) => logged.push(message),
    ...rest,
  })
  onTestFinished(() => qmd.close())
  return {
    qmd,
    home,
    workspace,
    logged,
    write: (more) => writeNotes(workspace, more),
    search: (text, more = {}) => qmd.search({ text, caller: OWNER, ...more }),
  }
}

/** Behaviour of the fake program for a command; `*` for every other. */
export interface FakePlan {
  readonly output?: string
  readonly error?: string
  readonly code?: number
  readonly delayMs?: number
  readonly hangs?: boolean
  readonly floods?: boolean
  readonly forks?: boolean
  readonly kills?: NodeJS.Signals
  /** Fails when it is given this word. */
  readonly refuses?: string
}
export interface FakeCall {
  readonly command: string
  readonly words: readonly string[]
  readonly pid: number
  readonly atMs: number
}
export interface OpenFake extends OpenQmd {
  plan(plans: Readonly<Record<string, FakePlan>>): void
  calls(command?: string): readonly FakeCall[]
  /** Id of the process that the fake program left behind. */
  leftBehind(): number
}

/** A backend over the fake program, in the state after a successful update. */
export async function openFake(options: OpenQmdOptions = {}): Promise<OpenFake> {
  const open = openQmd({ command: FAKE, ...options })
  const { config, index } = open.home
  mkdirSync(config, { recursive: true })
  mkdirSync(dirname(index), { recursive: true })
  writeFileSync(index, '')
  const collections = planCollections({ workspace: open.workspace, ...options.collections })
  const { files } = await listFiles(collections)
  await writeRecord(open.home, {
    collections: collections
      .filter(({ folder }) => existsSync(folder))
      .map(({ name, folder, pattern }) => ({ name, folder, pattern, as: name })),
    files,
    updatedAtMs: 0,
    embeddedAtMs: null,
  })
  const calls = (): readonly FakeCall[] => {
    const log = join(config, 'calls.log')
    const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []
    return lines.map((line) => JSON.parse(line))
  }
  return {
    ...open,
    plan: (plans) => writeFileSync(join(config, 'fake.json'), JSON.stringify(plans)),
    calls: (command) => calls().filter((call) => command === undefined || call.command === command),
    leftBehind: () => Number(readFileSync(join(config, 'left.pid'), 'utf8')),
  }
}

/** JSON as the program prints it. */
export function results(...found: readonly { readonly file: string; readonly score?: number; readonly snippet?: string; readonly line?: number }[]): string {
  return `${JSON.stringify(
    found.map((result) => ({ docid: '#abc123', score: 0.5, title: 'A title', ...result })),
    null,
    2,
  )}\n`
}

export const ROUTER_RESULT: string = results({
  file: 'qmd://memory-root/MEMORY.md',
  score: 0.8,
  line: 1,
  snippet: '@@ -1,2 @@ (0 before, 0 after)\nThe router has VLAN 10.\n',
})

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
