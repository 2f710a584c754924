import type { Role } from '../transcript/entry.ts'

/** A message as the search for a cut sees it. */
export interface Cuttable {
  readonly role: Role
  readonly tokens: number
  /** Ids of the calls it makes. */
  readonly calls: readonly string[]
  /** Id of the call it answers. */
  readonly answers: string | undefined
}

/**
 * The first message that stays: about `keepTokens` from the end, never between a call and its result, and never at a result. 0 where
 * everything stays. Pure.
 */
export function findCut(messages: readonly Cuttable[], keepTokens: number): number {
  let start = messages.length
  for (let kept = 0; start > 0; start -= 1) {
    kept += messages[start - 1]!.tokens
    if (kept > keepTokens) break
  }
  if (start === 0) return 0
  const isSplit = splitsCalls(messages)
  const fits = (index: number): boolean => messages[index]!.role !== 'toolResult' && isSplit[index] === false
  for (let index = start; index < messages.length; index += 1) if (fits(index)) return index
  for (let index = Math.min(start, messages.length) - 1; index > 0; index -= 1) if (fits(index)) return index
  return 0
}

/** For each place whether a cut before it would part a call from its result. */
function splitsCalls(messages: readonly Cuttable[]): readonly boolean[] {
  const changes = Array.from({ length: messages.length + 1 }, () => 0)
  const open = new Map<string, number>()
  for (const [index, { calls, answers }] of messages.entries()) {
    for (const call of calls) open.set(call, index)
    const from = answers === undefined ? undefined : open.get(answers)
    if (from === undefined || answers === undefined) continue
    open.delete(answers)
    changes[from + 1]! += 1
    changes[index + 1]! -= 1
  }
  let depth = 0
  return messages.map((_, index) => (depth += changes[index]!) > 0)
}

/** Where the turn that holds a message begins: at the last message of a user before it; -1 where there is none. */
export function turnStart(messages: readonly Cuttable[], index: number): number {
  return messages.slice(0, index + 1).findLastIndex(({ role }) => role === 'user')
}
