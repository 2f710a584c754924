import { memoryAppend } from './memory-append.ts'
import { memoryGet } from './memory-get.ts'
import { memorySearch } from './memory-search.ts'
import type { MemoryTool } from './memory-tool.ts'

/** The tools there are: without those that write, where nothing may be written. */
export function toolList({ isReadOnly }: { readonly isReadOnly: boolean }): readonly MemoryTool[] {
  const all: readonly MemoryTool[] = [memorySearch, memoryGet, memoryAppend]
  return all.filter(({ effects }) => effects.isReadOnly || !isReadOnly)
}
