import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSessions } from '../sessions/open-sessions.ts'
import type { Sessions } from '../sessions/open-sessions.ts'
import type { SessionsOptions } from '../sessions/session-settings.ts'

/** A new folder that goes with the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mnemark-sessions-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A clock that stands until it is set. */
export interface SetClock {
  ms: number
  readonly now: () => number
}

export function clockAt(iso: string): SetClock {
  const clock = { ms: Date.parse(iso), now: () => clock.ms }
  return clock
}

export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000
export const MAIN = 'agent:main:main'

/** Sessions in a folder, closed with the test. */
export async function sessionsIn(folder: string, options: Partial<SessionsOptions> = {}): Promise<Sessions> {
  const sessions = await openSessions({ folder, timeZone: 'UTC', ...options })
  onTestFinished(async () => await sessions.close())
  return sessions
}

/** The texts of a history, in order. */
export async function textsOf(sessions: Sessions, keyOrId: string, branches = false): Promise<readonly string[]> {
  const texts: string[] = []
  for await (const { message } of sessions.history(keyOrId, { branches })) texts.push(String(message.content))
  return texts
}
