import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServeProcess } from '../harness/serve-process.ts'

export interface CrowdResult {
  /** Milliseconds after the last connection was opened until a search was answered. */
  readonly answeredAfterMs: number
  readonly open: number
}

const BATCH = 500
const PATIENCE_MS = 60_000

/** Opens so many connections that say nothing, then asks until there is an answer. */
export async function idleCrowd(server: ServeProcess, size: number): Promise<CrowdResult> {
  const sockets: Socket[] = []
  for (let opened = 0; opened < size; opened += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, size - opened) }, () => openSocket(server))
    sockets.push(...batch.map(({ socket }) => socket))
    await Promise.all(batch.map(({ settled }) => settled))
  }
  const open = sockets.filter(({ destroyed }) => !destroyed).length
  const startedAt = performance.now()
  while (!(await isAnswering(server))) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error('the server does not answer any more')
    await wait(100)
  }
  const answeredAfterMs = Math.round(performance.now() - startedAt)
  for (const socket of sockets) socket.destroy()
  return { answeredAfterMs, open }
}

function openSocket(server: ServeProcess): { readonly socket: Socket; readonly settled: Promise<void> } {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.resume()
  const settled = new Promise<void>((resolve) => socket.once('connect', () => resolve()).once('close', () => resolve()))
  return { socket, settled }
}

async function isAnswering(server: ServeProcess): Promise<boolean> {
  try {
    return (await server.post('/v1/search', { query: 'w1 w2' })).status === 200
  } catch {
    return false
  }
}
