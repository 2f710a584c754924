// For a program that has rules of its own for a memory, or carries the tools over a protocol of its own.

export { addedBy, memoryHost } from './memory-host.ts'
export type { MemoryTool, ToolAnswer, ToolEffects } from './memory-tool.ts'
export { runTool } from './run-tool.ts'
export { toolDefinitions } from './tool-definitions.ts'
export { toToolFailure } from './tool-failure.ts'
export { placesIn, withoutPlaces } from './without-places.ts'
export { DAY_FORMS, day, lineNumber, path, request, texts } from './tool-input.ts'
export { toolList } from './tool-list.ts'
export { wireData } from './wire-data.ts'
