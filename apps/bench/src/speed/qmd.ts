import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import * as valibot from 'valibot'
import { type MadeWorkspace, ownHome } from './made-workspace.ts'
import { type ColdFigures, medianRun } from './measure-product.ts'
import { NoteMaker } from './notes/note-maker.ts'
import { type ProcessResult, runNode } from './run-process.ts'
import { touchNote } from './steps.ts'

/** The peer measured in the same run: BM25 over whole files, without its models. */
export interface Qmd {
  readonly version: string
  readonly script: string
}
export interface QmdFigures {
  readonly index: ColdFigures
  readonly fileBytes: number
  readonly coldSearch: ColdFigures
  /** Searches without a hit, of how many: qmd joins words with AND. */
  readonly emptyCount: number
  readonly searches: number
  readonly unchangedSync: ColdFigures
  readonly editSync: ColdFigures
}

const TIMEOUT_MS = 300_000
const manifestSchema = valibot.object({ name: valibot.literal('@tobilu/qmd'), version: valibot.string() })

/** The package a `qmd` executable, or a folder, belongs to; its launcher would start a second process. */
function packageAt(path: string): Qmd | undefined {
  if (!existsSync(path)) return undefined
  const real = realpathSync(path)
  const places = statSync(real).isDirectory() ? [real, join(real, 'node_modules/@tobilu/qmd')] : [dirname(dirname(real))]
  for (const place of places) {
    const [manifest, script] = [join(place, 'package.json'), join(place, 'dist/cli/qmd.js')]
    if (!existsSync(manifest) || !existsSync(script)) continue
    const parsed = valibot.safeParse(manifestSchema, JSON.parse(readFileSync(manifest, 'utf8')))
    if (parsed.success) return { version: parsed.output.version, script }
  }
  return undefined
}

/** qmd at `named` (its folder or executable), else on the PATH; undefined where there is none. */
export function findQmd(named: string | undefined, path: string | undefined): Qmd | undefined {
  if (named !== undefined) return packageAt(resolve(named))
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => packageAt(join(folder, 'qmd'))).find((found) => found !== undefined)
}

function databaseBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.sqlite(?:-wal)?$/.test(file))
    .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
}

function isEmpty({ stdout }: ProcessResult): boolean {
  const start = stdout.indexOf('[')
  return start < 0 || /^\[\s*\]/.test(stdout.slice(start))
}

/** Undefined when the index is not done within five minutes. Throws Error when qmd itself fails. */
export async function measureQmd(qmd: Qmd, workspace: MadeWorkspace, runs: number): Promise<QmdFigures | undefined> {
  const { setup, scratch } = workspace
  const home = join(scratch, 'qmd')
  const run = async (...args: readonly string[]): Promise<ProcessResult> => {
    const ended = await runNode([qmd.script, ...args], {
      environment: ownHome(home),
      timeoutMs: TIMEOUT_MS,
      currentFolder: scratch,
    })
    if (ended.exitCode !== 0 && !ended.isTimedOut) throw new Error(`qmd ${args[0]} failed: ${ended.stderr.slice(-1_000)}`)
    return ended
  }
  const index = await run('collection', 'add', setup.folder, '--name', 'notes')
  if (index.isTimedOut) return undefined
  const questions = new NoteMaker(setup.script, setup.seed).questions(runs, setup.noteCount)
  const searches: ProcessResult[] = []
  for (const question of questions) searches.push(await run('search', question, '--json'))
  const unchanged: ProcessResult[] = []
  for (let repeat = 0; repeat < 3; repeat += 1) unchanged.push(await run('update'))
  const edits: ProcessResult[] = []
  for (let number = 0; number < 3; number += 1) {
    touchNote(setup, number)
    edits.push(await run('update'))
  }
  return {
    index: medianRun([index]),
    fileBytes: databaseBytes(home),
    coldSearch: medianRun(searches),
    emptyCount: searches.filter(isEmpty).length,
    searches: searches.length,
    unchangedSync: medianRun(unchanged),
    editSync: medianRun(edits),
  }
}
