import { entityKey } from '@mnemark/core/document'
import type { StoredDocument } from '@mnemark/spec'

/** A property that has one value at a time, and the words that state one. Declared in front matter, never guessed. */
export interface Slot {
  /** `home`. `home:: Bergen` in a fact states a value. */
  readonly name: string
  /** `lives in`, `moved to`: a fact whose content begins with one of them states a value. */
  readonly phrases: readonly string[]
  /** The entity whose page declares it; absent = declared in `bank/slots.md`, for all. */
  readonly entity?: string
}

/** The page of slots that every entity may have. */
export const SLOTS_PAGE = 'bank/slots.md'

/**
 * The slots that a page declares: `slots: { home: ["lives in", "moved to"] }`, or `slots: [home, employer]` for those that are stated as
 * `home:: Bergen` alone.
 */
export function slotsOf(page: Pick<StoredDocument, 'path' | 'properties'>, names: readonly string[]): readonly Slot[] {
  const { slots: list = '', ...others } = page.properties ?? {}
  const owner = page.path.toLowerCase() === SLOTS_PAGE ? {} : { entity: entityKey(names[0] ?? '') }
  const mapped = Object.entries(others).flatMap(([key, value]): readonly Slot[] => {
    const name = /^slots\.(.+)$/s.exec(key)?.[1]?.trim()
    return name === undefined || name === '' ? [] : [{ name, phrases: listOf(value), ...owner }]
  })
  return mapped.length > 0 ? mapped : listOf(list).map((name) => ({ name, phrases: [], ...owner }))
}

function listOf(text: string): readonly string[] {
  return text
    .split(/[,，、،]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
