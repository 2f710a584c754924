import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type MadeWorkspace, ownHome } from './made-workspace.ts'
import type { Cost } from './measure-cpu.ts'
import { indexFileOf } from './memory-under-test.ts'
import { NoteMaker } from './notes/note-maker.ts'
import { type ProcessResult, runNode } from './run-process.ts'
import { median, type Spread, spreadOf } from './statistics.ts'
import type { StepRequest } from './step-process.ts'
import type { EditResult, IndexResult, SearchResult, SizeResult } from './steps.ts'

/** A program run from the shell: medians. */
export interface ColdFigures {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakRssBytes: number
}
export interface EditFigures {
  readonly cpuMs: Spread
  readonly wallMs: Spread
  readonly walBytesMean: number
  /** Bytes of journal for each byte of the edited note. */
  readonly writeAmplification: number
}
export interface ProductFigures {
  readonly chunks: number
  readonly documents: number
  readonly index: Cost & { readonly peakRssBytes: number; readonly repeats: number }
  readonly size: SizeResult
  readonly search: {
    readonly wallMs: Spread
    readonly cpuMs: Spread
    readonly wholeMs: Spread
    readonly questions: number
    readonly emptyCount: number
    readonly peakRssBytes: number
  }
  readonly unchangedSync: Cost
  /** Only where the notes are files. */
  readonly coldSearch?: ColdFigures
  readonly coldSync?: ColdFigures
  readonly edit?: EditFigures
}
export interface Effort {
  readonly indexRepeats: number
  readonly questions: number
  readonly coldRuns: number
  readonly edits: number
}

interface StepResults {
  readonly index: IndexResult
  readonly size: SizeResult
  readonly search: SearchResult
  readonly sync: readonly Cost[]
  readonly edit: EditResult
}

const STEP_PROCESS = join(import.meta.dirname, 'step-process.ts')
const COMMAND_LINE = join(import.meta.dirname, '../../../mnemark/start.mjs')
/** As `./mnemark` starts Node: a large young generation for one search, a small one for all else. */
const nodeOptions = (youngMegabytes: number): readonly string[] => [
  `--min-semi-space-size=${youngMegabytes}`,
  `--max-semi-space-size=${youngMegabytes}`,
  '--heap-growing-percent=50',
  '--conditions=mnemark-source',
]

/** Runs one step in a process of its own. Throws Error with its last words when it fails. */
async function runStep<Name extends keyof StepResults>(
  step: Name,
  { setup, scratch }: MadeWorkspace,
  count: number,
): Promise<{ readonly result: StepResults[Name]; readonly peakRssBytes: number }> {
  const request: StepRequest = { step, count, setup }
  const ended = await runNode([...nodeOptions(4), STEP_PROCESS, JSON.stringify(request)], {
    environment: ownHome(scratch),
    timeoutMs: 3_600_000,
  })
  if (ended.exitCode !== 0) throw new Error(`The step ${step} failed: ${ended.stderr.slice(-2_000)}`)
  // The step of this name printed it: step-process.ts and this table name the same functions.
  return { result: JSON.parse(ended.stdout) as StepResults[Name], peakRssBytes: ended.peakRssBytes }
}

async function measureIndex(
  workspace: MadeWorkspace,
  repeats: number,
): Promise<Pick<ProductFigures, 'chunks' | 'documents' | 'index'>> {
  const runs: (IndexResult & { readonly peakRssBytes: number })[] = []
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const ending of ['', '-wal', '-shm']) rmSync(indexFileOf(workspace.setup) + ending, { force: true })
    const { result, peakRssBytes } = await runStep('index', workspace, 0)
    runs.push({ ...result, peakRssBytes })
  }
  const of = (pick: (run: (typeof runs)[number]) => number): number => median(runs.map(pick))
  return {
    chunks: of(({ chunks }) => chunks),
    documents: of(({ documents }) => documents),
    index: {
      wallMs: of(({ wallMs }) => wallMs),
      cpuMs: of(({ cpuMs }) => cpuMs),
      peakRssBytes: of(({ peakRssBytes }) => peakRssBytes),
      repeats,
    },
  }
}

async function measureSearch(workspace: MadeWorkspace, questions: number): Promise<ProductFigures['search']> {
  const { result, peakRssBytes } = await runStep('search', workspace, questions)
  return {
    wallMs: spreadOf(result.wallMs),
    cpuMs: spreadOf(result.cpuMs),
    wholeMs: spreadOf(result.wholeMs),
    questions,
    emptyCount: result.emptyCount,
    peakRssBytes,
  }
}

async function measureEdits(workspace: MadeWorkspace, count: number): Promise<EditFigures> {
  const { result } = await runStep('edit', workspace, count)
  const sum = (pick: (edit: EditResult['edits'][number]) => number): number =>
    result.edits.reduce((total, edit) => total + pick(edit), 0)
  const walBytes = sum((edit) => edit.walBytes)
  return {
    cpuMs: spreadOf(result.edits.map(({ cpuMs }) => cpuMs)),
    wallMs: spreadOf(result.edits.map(({ wallMs }) => wallMs)),
    walBytesMean: walBytes / result.edits.length,
    writeAmplification: walBytes / sum(({ textBytes }) => textBytes),
  }
}

export function medianRun(runs: readonly ProcessResult[]): ColdFigures {
  return {
    wallMs: median(runs.map(({ wallMs }) => wallMs)),
    cpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
    peakRssBytes: median(runs.map(({ peakRssBytes }) => peakRssBytes)),
  }
}

/** The command line as a user runs it; the first run fills the compile cache and is left out. */
async function measureCommand(workspace: MadeWorkspace, argsOfRun: readonly (readonly string[])[]): Promise<ColdFigures> {
  const runs: ProcessResult[] = []
  for (const args of argsOfRun) {
    const run = await runNode([...nodeOptions(args[0] === 'search' ? 16 : 4), COMMAND_LINE, ...args], {
      environment: ownHome(workspace.scratch),
    })
    // 1: nothing found.
    if (run.exitCode !== 0 && run.exitCode !== 1) throw new Error(`mnemark ${args[0]} failed: ${run.stderr.slice(-2_000)}`)
    runs.push(run)
  }
  return medianRun(runs.slice(1))
}

/** Everything that is measured of the product at one size. `onStep` says what comes next. */
export async function measureProduct(
  workspace: MadeWorkspace,
  effort: Effort,
  onStep: (step: string) => void,
): Promise<ProductFigures> {
  const { setup } = workspace
  onStep('index')
  const indexed = await measureIndex(workspace, effort.indexRepeats)
  const { result: size } = await runStep('size', workspace, 0)
  onStep('search')
  const search = await measureSearch(workspace, effort.questions)
  onStep('sync')
  const { result: syncs } = await runStep('sync', workspace, 5)
  const unchangedSync = { wallMs: median(syncs.map(({ wallMs }) => wallMs)), cpuMs: median(syncs.map(({ cpuMs }) => cpuMs)) }
  const figures = { ...indexed, size, search, unchangedSync }
  // Without files the command line would find an empty workspace, and there is nothing to edit.
  if (setup.isVirtual) return figures
  onStep('command line')
  const questions = new NoteMaker(setup.script, setup.seed).questions(effort.coldRuns + 1, setup.noteCount)
  const at = ['--workspace', setup.folder, '--json'] as const
  const coldSearch = await measureCommand(
    workspace,
    questions.map((question) => ['search', ...at, '--', question]),
  )
  const coldSync = await measureCommand(
    workspace,
    questions.map(() => ['index', ...at]),
  )
  onStep('edits')
  return { ...figures, coldSearch, coldSync, edit: await measureEdits(workspace, effort.edits) }
}
