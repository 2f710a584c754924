import type { Degradation, MemoryBackend } from '@mnemark/spec'
import type { OutsideLayout, Workspace } from '@mnemark/workspace'
import { printable } from '../../terminal/isolate.ts'

/** The setting that includes everything in the workspace. */
export const INCLUDING_SETTING = 'agents.defaults.memorySearch.extraPaths: ["."]'
const SHOWN = 4

/** Says how much of the folder an agent's layout leaves out; empty if nothing. */
export function outsideText({ notes, places }: OutsideLayout): string {
  if (notes === 0) return ''
  const named = places.slice(0, SHOWN).map(printable).join(', ')
  const more = places.length > SHOWN ? ', …' : ''
  const count = notes === 1 ? '1 other note of this folder is' : `${notes} other notes of this folder are`
  return `${count} not searched (${named}${more}): in an agent's workspace only MEMORY.md, memory/, bank/, SOUL.md and USER.md are. ${INCLUDING_SETTING} includes them.`
}

export async function outsideRemark(notes: Pick<Workspace, 'outsideLayout'>): Promise<readonly Degradation[]> {
  const message = outsideText(await notes.outsideLayout())
  return message === '' ? [] : [{ code: 'files-skipped', message }]
}

/** Reports with the first search of a new index what it leaves out. */
export function tellingOutside(memory: MemoryBackend, notes: Pick<Workspace, 'outsideLayout'>): MemoryBackend {
  let isTold = false
  return {
    specVersion: memory.specVersion,
    get name() {
      return memory.name
    },
    search: async (query) => {
      const reply = await memory.search(query)
      if (isTold) return reply
      isTold = true
      return { ...reply, degraded: [...reply.degraded, ...(await outsideRemark(notes))] }
    },
    list: (query) => memory.list(query),
    sync: (options) => memory.sync(options),
    status: (options) => memory.status(options),
    read: (request) => memory.read(request),
    close: () => memory.close(),
  }
}
