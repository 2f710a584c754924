import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Identifies a process, so that neither a reused process id nor another machine or container is mistaken for it. */
export interface ProcessIdentity {
  /** Process ids may be compared only where this is equal. */
  readonly host: string
  readonly pid: number
  /** Clock ticks from boot to the start of the process, where the system reports them. */
  readonly start: string | null
}

let own: ProcessIdentity | undefined

export function ownIdentity(): ProcessIdentity {
  own ??= { host: hostIdentity(), pid: process.pid, start: processStatus(process.pid)?.start ?? null }
  return own
}

/** True only if certain: false for a process of another host, or one that cannot be distinguished from its successor. */
export function isKnownDead(owner: ProcessIdentity): boolean {
  if (owner.host !== ownIdentity().host) return false
  const status = processStatus(owner.pid)
  if (status) return status.isDead || (owner.start !== null && status.start !== owner.start)
  return !canSignal(owner.pid)
}

function hostIdentity(): string {
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  return `${hostname()} ${boot} ${processNamespace()}`.trim()
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function processStatus(pid: number): { readonly isDead: boolean; readonly start: string } | null {
  const status = readText(`/proc/${pid}/stat`)
  if (status === null) return null
  // The program name may hold blanks and brackets; the fields after it do not. State is field 3, start time field 22.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  const [state = '', start = ''] = [fields[0], fields[19]]
  return { isDead: state === 'Z' || state === 'X', start }
}

function canSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
