import { StoreError } from '@mnemark/spec'

/** Bytes that no segment of this program has: a torn write, a failing disk, another program. */
export function damagedSegment(what: string): StoreError {
  return new StoreError(
    'corrupt',
    `The keyword index is damaged: ${what}. Run \`mnemark doctor --fix\`; it is rebuilt from the notes.`,
  )
}
