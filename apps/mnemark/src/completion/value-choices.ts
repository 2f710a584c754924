import type { OptionSpec } from '../command-line/command-line.ts'
import type { CommandSpec } from '../command.ts'

/** The kind of a value to complete: fixed words, files, folders, names of workspaces, or unknown. */
export type ValueKind =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'folders' | 'workspaces' | 'text' }

const BY_PLACEHOLDER: Readonly<Record<string, ValueKind>> = {
  DIR: { kind: 'folders' },
  FILE: { kind: 'files' },
  PATH: { kind: 'files' },
}

/** Asks the command for the names each time: they change, and a script stays. */
export const WORKSPACE_NAMES = 'mnemark workspace list 2>/dev/null | cut -f1'

/** Null for a switch. */
export function valueKindOf({ value, choices }: OptionSpec): ValueKind | null {
  if (value === undefined) return null
  if (choices !== undefined) return { kind: 'words', words: choices }
  if (value === 'NAME') return { kind: 'workspaces' }
  return BY_PLACEHOLDER[value] ?? { kind: 'text' }
}

/** The kind of word that may follow a command. */
export function wordKindOf({ usage, wordChoices }: Pick<CommandSpec, 'usage' | 'wordChoices'>): ValueKind {
  if (wordChoices !== undefined) return { kind: 'words', words: wordChoices }
  const placeholder = Object.keys(BY_PLACEHOLDER).find((name) => usage.includes(name))
  return (placeholder === undefined ? undefined : BY_PLACEHOLDER[placeholder]) ?? { kind: 'text' }
}
