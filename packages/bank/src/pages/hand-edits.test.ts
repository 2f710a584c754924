import { expect, test } from 'vitest'
import { faultsOfHandEdits } from './__fixtures__/hand-edits.ts'

test.each([1, 2, 3, 4])(
  'edits by hand between plans lose nothing, are named, and are facts when adopted: seed %i',
  async (seed) => {
    expect(await faultsOfHandEdits(seed, 10)).toEqual([])
  },
)
