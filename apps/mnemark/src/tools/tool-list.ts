import { memoryAppend } from './memory-append.ts'
import { memoryGet } from './memory-get.ts'
import { memorySearch } from './memory-search.ts'
import type { MemoryTool } from './memory-tool.ts'

/** The tools there are: without those that write, where nothing may be written. */
export function memoryTools({ isReadOnly }: { readonly isReadOnly: boolean }): readonly MemoryTool[] {
  // Safe: each tool checks its input by its own schema before `run` sees it.
  const all = [memorySearch, memoryGet, memoryAppend] as readonly unknown[] as readonly MemoryTool[]
  return all.filter(({ effects }) => effects.isReadOnly || !isReadOnly)
}
