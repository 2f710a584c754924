import {
  type CallerContext,
  ConfigError,
  type CreateMemoryOptions,
  type DocumentReader,
  type DocumentSource,
} from '@mnemark/spec'

/** The options of a memory with its documents and its reader found. */
export type MemoryParts = Omit<CreateMemoryOptions, 'workspace' | 'sources' | 'reader'> & {
  readonly sources: readonly DocumentSource[]
  readonly reader: DocumentReader
}

/** The documents of the workspace first, then further sources. Throws ConfigError that says which part is missing. */
export function composeMemory({
  workspace,
  sources = [],
  reader = workspace?.reader,
  ...rest
}: CreateMemoryOptions): MemoryParts {
  // Callers without types may pass anything.
  if (typeof rest.store?.snapshot !== 'function')
    throw missing('`store`', 'a store such as `await openSqliteStore({ path })` of @mnemark/store-sqlite')
  if (workspace !== undefined && typeof workspace.source?.list !== 'function')
    throw missing('`workspace`', 'what has a `source` and a `reader`: `await openWorkspace({ root })`, or `documents({ ... })`')
  if (reader === undefined)
    throw missing('`workspace`', 'the notes: `await openWorkspace({ root })` of @mnemark/workspace, or `documents({ ... })`')
  if (rest.caller !== undefined) checkCaller('createMemory', rest.caller)
  return { ...rest, sources: workspace === undefined ? sources : [workspace.source, ...sources], reader }
}

function missing(name: string, wanted: string): ConfigError {
  return new ConfigError('invalid-value', `createMemory: ${name} is missing or is none. Expected ${wanted}.`)
}

/** The caller named by the call, else by the options. Throws ConfigError where neither does. */
export function callerOf(call: string, named: CallerContext | undefined, byDefault: CallerContext | undefined): CallerContext {
  const caller = named ?? byDefault
  if (caller === undefined || caller === null)
    throw new ConfigError(
      'invalid-value',
      `${call}: nobody is named as \`caller\`. Say who asks, \`caller: { agentId: 'main' }\`, with each call or once in createMemory.`,
    )
  return checkCaller(call, caller)
}

function checkCaller(call: string, caller: CallerContext): CallerContext {
  if (typeof caller.agentId === 'string' && caller.agentId !== '') return caller
  throw new ConfigError('invalid-value', `${call}: \`caller\` needs an \`agentId\`, such as { agentId: 'main' }.`)
}
