import { canonicalJson } from '@mnemark/spec'

/** A frozen copy without `undefined` members. Throws TypeError for values beyond JSON: NaN, bigint, functions. */
export function frozenCopy<T>(value: T): T {
  // Parsing the text gives back the same shape; only `undefined` members, optional in T, are gone.
  return deepFreeze(JSON.parse(canonicalJson(value))) as T
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}
