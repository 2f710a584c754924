import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddingProvider } from '@mnemark/spec'
import { findState, prepareState } from '../../state/workspace-state.ts'
import type { StateSettings } from '../../state/workspace-state.ts'

/** The user's answer to sending notes to a host that nobody had named. */
export type Consent = 'allowed' | 'refused'

const FILE = 'consent.json'

export function hostOf({ space }: EmbeddingProvider): string {
  return space.endpoint === null ? space.provider : new URL(space.endpoint).host
}

/** Undefined if nobody was asked. Kept in the user's state, never in the index, which may have come with the folder. */
export function recordedConsent(settings: StateSettings, host: string): Consent | undefined {
  const value = readAnswers(findState(settings))[host]
  return value === 'allowed' || value === 'refused' ? value : undefined
}

/** Records the answer, so that the question is not repeated. Throws CommandError if it cannot be stored. */
export function recordConsent(settings: StateSettings, host: string, consent: Consent): void {
  const state = prepareState(settings)
  const file = join(state, FILE)
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify({ ...readAnswers(state), [host]: consent }, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}

/** An unreadable file holds no answers. */
function readAnswers(state: string | null): Readonly<Record<string, unknown>> {
  if (state === null) return {}
  try {
    const answers: unknown = JSON.parse(readFileSync(join(state, FILE), 'utf8'))
    return typeof answers === 'object' && answers !== null ? { ...answers } : {}
  } catch {
    return {}
  }
}
