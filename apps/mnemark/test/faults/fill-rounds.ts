import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openSqliteStore } from '@mnemark/store-sqlite'
import { openaiCompatibleWire, startProtocolServer } from '@mnemark/testkit'
import type { ProtocolServer } from '@mnemark/testkit'
import { indexFileOf } from './open-index.ts'
import { isVectorOf } from './is-vector-of.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { ownWord } from './sample-notes.ts'

const LAUNCHER = fileURLToPath(new URL('../../../../mnemark', import.meta.url))
const DIMENSIONS = 32
/** Small requests, so that a fill is long and a kill meets it anywhere. */
const LIMITS = { maxInputs: 8, concurrency: 2 } as const
const IN_FLIGHT = LIMITS.maxInputs * LIMITS.concurrency

export interface FillRoundOptions {
  readonly texts: number
  readonly kills: number
  readonly seed: number
}

export interface FillRounds {
  readonly killed: number
  /** Texts that the server got more than once, counted each time. */
  readonly sentAgain: number
  readonly problems: readonly string[]
}

/** Kills `mnemark index` while it fills vectors, again and again, then lets it finish, and compares what was sent with what is kept. */
export async function killFills({ texts, kills, seed }: FillRoundOptions): Promise<FillRounds> {
  const random = createRandom(seed)
  const root = mkdtempSync(join(tmpdir(), 'mnemark-fill-'))
  const server = await startProtocolServer(openaiCompatibleWire({ model: 'm', dimensions: DIMENSIONS }))
  const problems: string[] = []
  try {
    writeNotes(root, { texts, baseUrl: server.baseUrl })
    let [killed, inFlight] = [0, 0]
    for (let round = 0; round < kills; round++) {
      const from = server.calls.length
      const before = await vectorsByWord(root)
      if (await killOnce(root, server, random)) killed++
      const kept = await vectorsByWord(root)
      const sent = wordsSent(server, from)
      const lost = sent.filter((word) => !kept.has(word))
      inFlight += lost.length
      if (lost.length > IN_FLIGHT)
        problems.push(`round ${round}: ${lost.length} texts were sent and not kept, ${IN_FLIGHT} may be in flight`)
      for (const word of sent) if (before.has(word)) problems.push(`round ${round}: ${word} had a vector and was sent again`)
    }
    const code = await new Promise((resolve) => start(root).once('exit', resolve))
    if (code !== 0) problems.push(`the last index ended with code ${code}`)
    const sentAgain = wordsSent(server, 0).length - texts
    if (sentAgain > inFlight) problems.push(`${sentAgain} texts were sent again, and ${inFlight} were in flight at a kill`)
    return { killed, sentAgain, problems: [...problems, ...wrongVectors(await vectorsByWord(root), server, texts)] }
  } finally {
    await server.close()
    rmSync(root, { recursive: true, force: true })
  }
}

function writeNotes(root: string, { texts, baseUrl }: { readonly texts: number; readonly baseUrl: string }): void {
  mkdirSync(join(root, 'notes', 'memory'), { recursive: true })
  mkdirSync(join(root, 'home'))
  for (let number = 0; number < texts; number++)
    writeFileSync(join(root, 'notes', 'memory', `${number}.md`), `a note about ${ownWord(number)}\n`)
  const custom = { api: 'openai', baseUrl, model: 'm', dimensions: DIMENSIONS, inputType: 'symmetric', limits: LIMITS }
  const config = { agents: { defaults: { memorySearch: { provider: 'custom' } } }, models: { providers: { custom } } }
  // The user's own file: what lies among the notes would have to be trusted first.
  mkdirSync(join(root, 'home/.config/mnemark'), { recursive: true })
  writeFileSync(join(root, 'home/.config/mnemark/mnemark.json5'), JSON.stringify(config))
}

/** Killed after a random number of its requests and a random moment more. False where it was done before. */
async function killOnce(root: string, server: ProtocolServer, random: Random): Promise<boolean> {
  const child = start(root)
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  const isOver = ended.then(() => true)
  for (let requests = 1 + random.below(8); requests > 0; requests--)
    if (await Promise.race([server.arrival().then(() => false), isOver])) break
  await Promise.race([delay(random.below(12)), isOver])
  child.kill('SIGKILL')
  return (await ended) === 'SIGKILL'
}

function start(root: string): ReturnType<typeof spawn> {
  const env = { PATH: process.env.PATH ?? '', HOME: join(root, 'home') }
  return spawn(LAUNCHER, ['index', '--quiet'], { cwd: join(root, 'notes'), env, stdio: ['ignore', 'ignore', 'inherit'] })
}

const WORD = /q[a-z]{5}e/

/** The notes of the accepted requests, each known by its own word. */
function wordsSent({ calls }: ProtocolServer, from: number): readonly string[] {
  return calls.slice(from).flatMap(({ texts }) => texts.map((text) => WORD.exec(text)?.[0] ?? text))
}

/** The vectors in the index, as the next process finds them. */
async function vectorsByWord(root: string): Promise<ReadonlyMap<string, Float32Array | null>> {
  const found = new Map<string, Float32Array | null>()
  if (!existsSync(indexFileOf(root))) return found
  const store = await openSqliteStore({ path: indexFileOf(root) })
  const snapshot = await store.snapshot()
  try {
    const [space] = await snapshot.spaces()
    if (space === undefined) return found
    for await (const document of snapshot.documents())
      for (const { text, inputs } of await snapshot.chunksOf(document)) {
        const vectors = await snapshot.vectors(space.fingerprint, inputs)
        for (const vector of vectors.values()) found.set(WORD.exec(text)?.[0] ?? text, vector)
      }
    return found
  } finally {
    snapshot.release()
    await store.close()
  }
}

/** Each text has the vector that the service made of it. */
function wrongVectors(
  kept: ReadonlyMap<string, Float32Array | null>,
  { calls }: ProtocolServer,
  texts: number,
): readonly string[] {
  const sent = new Set(calls.flatMap((call) => call.texts))
  const wrong = [...sent].filter((text) => !isVectorOf(kept.get(WORD.exec(text)?.[0] ?? ''), text, DIMENSIONS))
  return [
    ...(kept.size === texts ? [] : [`${kept.size} of ${texts} texts have a vector`]),
    ...(wrong.length === 0 ? [] : [`${wrong.length} texts have the vector of another`]),
  ]
}
