import { connectorFetch, connectorSearch } from './connector-tools.ts'
import type { ToolHost } from '../host/host.ts'
import { memoryAppend } from './memory-append.ts'
import { memoryEdit } from './memory-edit.ts'
import { memoryGet } from './memory-get.ts'
import { memoryList, memoryRecent } from './memory-list.ts'
import { memoryRecall } from './memory-recall.ts'
import { memoryRetain } from './memory-retain.ts'
import { memorySearch } from './memory-search.ts'
import { sessionsHistory, sessionsList } from './session-tools.ts'
import type { MemoryTool } from '../definition/memory-tool.ts'

/** The tools the host supports; without those that write if the host is read-only. */
export function toolList(
  host: Pick<ToolHost, 'isReadOnly' | 'list' | 'edit' | 'recall' | 'retain' | 'sessions'>,
  { isConnector = false }: { readonly isConnector?: boolean } = {},
): readonly MemoryTool[] {
  const all: readonly MemoryTool[] = [
    memorySearch,
    memoryGet,
    ...(host.recall === undefined ? [] : [memoryRecall]),
    ...(host.list === undefined ? [] : [memoryList, memoryRecent]),
    memoryAppend,
    ...(host.edit === undefined ? [] : [memoryEdit]),
    ...(host.retain === undefined ? [] : [memoryRetain]),
    ...(host.sessions === undefined ? [] : [sessionsList, sessionsHistory]),
    ...(isConnector ? [connectorSearch, connectorFetch] : []),
  ]
  return all.filter(({ effects }) => effects.isReadOnly || !host.isReadOnly)
}
