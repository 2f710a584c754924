import { toFailure } from '../failure.ts'
import { maskMessage } from '@mnemark/masking'
import type { MemoryEvent } from './agent-memory.ts'

/** Logs what a server's syncs did, if anything: numbers only, never text of notes. */
export function syncLog(log: (message: string) => void): (event: MemoryEvent) => void {
  return (event) => {
    if (event.event === 'failed')
      log(`the index was not brought up to date: ${maskMessage(toFailure(event.error).message)} It is tried again.`)
    if (event.event !== 'synced') return
    for (const { message } of event.repairs) log(maskMessage(message))
    const { indexed, removed, failed } = event.report
    if (indexed + removed + failed.length > 0) log(`${indexed} indexed, ${removed} removed, ${failed.length} failed`)
  }
}
