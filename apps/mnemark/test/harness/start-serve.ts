import { onTestFinished } from 'vitest'
import { ServeProcess } from './serve-process.ts'

/** A running `mnemark serve` that ends with the test. */
export async function startServe(...args: Parameters<typeof ServeProcess.start>): Promise<ServeProcess> {
  const server = await ServeProcess.start(...args)
  onTestFinished(() => server.kill())
  return server
}
