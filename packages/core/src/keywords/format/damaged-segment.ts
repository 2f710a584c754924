import { StoreError } from '@mnemark/spec'

/** Error for bytes that no segment of this program has: a torn write, a failing disk, another program. */
export function damagedSegment(what: string): StoreError {
  return new StoreError(
    'corrupt',
    `The keyword index is damaged: ${what}. A sync into a new store builds it again from the notes.`,
  )
}
