import { expect, test } from 'vitest'
import { createPathMatcher } from '../index.ts'

test.each(['bank/a.md', 'bank/a/b.md', 'bank/a\nb.md', 'bank/a\u2028b.md', 'bank/.hidden/x.md', 'bank/ملاحظة.md'])(
  'a glob of a folder matches %j, whatever its name holds',
  (path) => {
    expect([createPathMatcher(['bank/**'])(path), createPathMatcher(['memory/**'])(path)]).toEqual([true, false])
  },
)
