/** How fast the product is and how much it takes: `pnpm bench:speed`. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { BadUse, runCommand } from './report/bad-use.ts'
import { writeSection } from './report/document-section.ts'
import { describeMachine, provenance } from './report/machine.ts'
import { markdownTable, plainTable } from './report/table.ts'
import { makeWorkspace } from './speed/made-workspace.ts'
import { type Effort, measureProduct } from './speed/measure-product.ts'
import { findQmd, measureQmd, type Qmd } from './speed/qmd.ts'
import { runNode } from './speed/run-process.ts'
import { type SpeedPoint, speedTable } from './speed/speed-report.ts'
import { median } from './speed/statistics.ts'
import { type Script, SCRIPTS } from './speed/notes/word-model.ts'
import { yardstickMs } from './speed/yardstick.ts'

const SIZES = { '1k': 1_000, '10k': 10_000, '100k': 100_000, '1M': 1_000_000 } as const
type Size = keyof typeof SIZES

const USAGE = `usage: pnpm bench:speed [--sizes 1k,10k,100k,1M] [--scripts en,ru,ar,zh] [--qmd PATH] [--json FILE] [--docs]

  --sizes      chunks of made-up notes, 1k,10k when left out; at 1M the notes are no files but made when they are read
  --scripts    what they are written in, en when left out
  --qmd PATH   the folder or the executable of @tobilu/qmd, measured beside (up to 100k); else the qmd on the PATH
  --json FILE  write the figures to a file
  --docs       write the tables into docs/speed.md`

/** Above this qmd does not finish in minutes. */
const QMD_UP_TO = 100_000
const QMD_SEARCHES = 10

function listed<const Choice extends string>(option: string, value: string, choices: readonly Choice[]): readonly Choice[] {
  return value.split(',').map((part) => {
    const choice = choices.find((known) => known === part.trim())
    if (choice === undefined) throw new BadUse(`--${option}: expected some of ${choices.join(', ')}, got ${part}\n\n${USAGE}`)
    return choice
  })
}

/** Fewer repeats where one takes long. */
function effortFor(chunks: number): Effort {
  if (chunks >= 500_000) return { indexRepeats: 1, questions: 50, coldRuns: 0, edits: 0 }
  if (chunks >= 50_000) return { indexRepeats: 1, questions: 200, coldRuns: 5, edits: 32 }
  return { indexRepeats: chunks >= 5_000 ? 3 : 5, questions: 200, coldRuns: 9, edits: 64 }
}

async function bareNodeCpuMs(): Promise<number> {
  const runs: number[] = []
  for (let run = 0; run < 5; run += 1) runs.push((await runNode(['-e', '0'])).cpuMs)
  return median(runs)
}

async function measurePoint(script: Script, size: Size, qmd: Qmd | undefined): Promise<SpeedPoint> {
  const tell = (step: string): void => void process.stderr.write(`[${script} ${size}] ${step}\n`)
  tell('making notes')
  const workspace = makeWorkspace(script, SIZES[size])
  try {
    const before = yardstickMs()
    const product = await measureProduct(workspace, effortFor(SIZES[size]), tell)
    let peer: SpeedPoint['qmd']
    if (qmd !== undefined && SIZES[size] <= QMD_UP_TO) {
      tell('qmd')
      peer = await measureQmd(qmd, workspace, QMD_SEARCHES)
      if (peer === undefined) tell('qmd was not done within five minutes')
    }
    return {
      script,
      size,
      textBytes: workspace.textBytes,
      isVirtual: workspace.setup.isVirtual,
      product,
      ...(peer && { qmd: peer }),
      bareNodeCpuMs: await bareNodeCpuMs(),
      yardstickMs: [before, yardstickMs()],
    }
  } finally {
    workspace.remove()
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '1k,10k' },
      scripts: { type: 'string', default: 'en' },
      qmd: { type: 'string' },
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  // Object.keys widens the keys of a constant table to string.
  const sizes = listed('sizes', values.sizes, Object.keys(SIZES) as Size[])
  const scripts = listed('scripts', values.scripts, SCRIPTS)
  const qmd = findQmd(values.qmd, process.env['PATH'])
  if (values.qmd !== undefined && qmd === undefined) throw new BadUse(`--qmd: no @tobilu/qmd at ${values.qmd}.`)
  const peerNote = qmd
    ? `qmd is @tobilu/qmd ${qmd.version}, keywords only.`
    : 'qmd was not there (apps/bench/README.md says how to get it), so nothing stands beside these figures.'

  const machine = describeMachine()
  const points: SpeedPoint[] = []
  for (const script of scripts) for (const size of sizes) points.push(await measurePoint(script, size, qmd))

  const tables = scripts.map((script) => ({ script, table: speedTable(points.filter((point) => point.script === script)) }))
  for (const { script, table } of tables) console.log(`${script}\n${plainTable(table)}\n`)
  console.log(peerNote)
  if (values.json !== undefined) {
    const document = { measuredAt: new Date().toISOString(), machine, qmd: qmd?.version ?? null, points }
    writeFileSync(values.json, `${JSON.stringify(document, null, 2)}\n`)
  }
  if (values.docs) {
    const note = `${provenance(machine, `pnpm bench:speed --sizes ${sizes.join()}`)} ${peerNote}`
    for (const { script, table } of tables) writeSection('speed.md', script, `${note}\n\n${markdownTable(table)}`)
  }
}

await runCommand(main)
