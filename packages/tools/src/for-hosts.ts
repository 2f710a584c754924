// For programs that add their own rules to a memory, or carry the tools over their own protocol.

export { addedBy, memoryHost } from './host/memory-host.ts'
export type { MemoryTool, ToolAnswer, ToolEffects } from './definition/memory-tool.ts'
export { runTool } from './definition/run-tool.ts'
export { toolDefinitions } from './definition/tool-definitions.ts'
export { toToolFailure } from './reply/tool-failure.ts'
export { placesIn, withoutPlaces } from './host/without-places.ts'
export { count, DAY_FORMS, day, lineNumber, path, request, texts } from './definition/tool-input.ts'
export { factMembers } from './tools/memory-retain.ts'
export { factLines, questionMembers } from './tools/memory-recall.ts'
export { toolList } from './tools/tool-list.ts'
export { wireData } from './reply/wire-data.ts'
