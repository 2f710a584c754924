import type { Settings } from '../config/load-settings.ts'
import type { Console } from './console.ts'

/** What is odd about the configuration, on stderr. */
export function noteWarnings(console: Console, settings: Settings): void {
  for (const warning of settings.warnings) console.note(`mnemark: warning: ${warning}`)
}
