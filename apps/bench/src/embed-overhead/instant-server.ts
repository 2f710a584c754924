/** An embedding service without a model, in a thread of its own: what a client needs beside it is the client's own time. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { instantAnswer } from './instant-answer.ts'

export interface InstantServer extends AsyncDisposable {
  readonly origin: string
}

export async function startInstantServer(): Promise<InstantServer> {
  const worker = new Worker(new URL(import.meta.url))
  const origin = await new Promise<string>((resolve, reject) => {
    worker.once('message', (port: number) => resolve(`http://127.0.0.1:${port}`))
    worker.once('error', reject)
  })
  return {
    origin,
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}

function serve(): void {
  const server = createServer(async (request, response) => {
    const { input }: { readonly input: readonly string[] } = JSON.parse(await text(request))
    response.setHeader('content-type', 'application/json')
    response.end(instantAnswer(input.length))
  })
  server.listen(0, '127.0.0.1', () => {
    // An address object, since it listens on a port and not on a pipe.
    parentPort?.postMessage((server.address() as AddressInfo).port)
  })
}

if (!isMainThread && parentPort !== null) serve()
