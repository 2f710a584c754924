import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describeMemoryBackend } from '@mnemark/testkit/vitest'
import { describe } from 'vitest'
import { hasReal, openQmd, writeNotes } from './__fixtures__/open-qmd.ts'

describe.skipIf(!hasReal)('the real program, by keywords', { timeout: 120_000 }, () => {
  describeMemoryBackend('qmd', {
    open: (notes) => {
      const { qmd, workspace } = openQmd({ notes, limits: { timeoutMs: 30_000 } })
      return {
        backend: qmd,
        write: (path, text) => writeNotes(workspace, { [path]: text }),
        remove: (path) => rmSync(join(workspace, path)),
      }
    },
  })
})
