import { ConfigError, StoreError } from '@mnemark/spec'
import type { MemoryStore, StoreModuleOptions } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import { loadModule, reasonOf } from '../../config/files/load-module.ts'
import type { NamedModule } from '../../config/files/load-module.ts'

/**
 * Opens the store of the module in `store.module`. Rejects with ConfigError for an invalid module, or if its function throws
 * anything but a StoreError.
 */
export async function openOwnStore(
  module: NamedModule,
  { agentId, workspace, trustedFile }: Pick<Settings, 'agentId' | 'workspace' | 'trustedFile'>,
  isReadOnly: boolean,
): Promise<MemoryStore> {
  const { file, create } = await loadModule(module, 'createStore', trustedFile)
  const options: StoreModuleOptions = { agentId, workspace, isReadOnly, options: module.options }
  const store = await called(() => create(options), `${module.key}: createStore of ${file}`)
  if (isStore(store)) return store
  throw new ConfigError(
    'invalid-value',
    `${module.key}: createStore of ${file} must return a MemoryStore of @mnemark/spec: specVersion "v1", with snapshot, apply and the rest`,
  )
}

async function called(create: () => unknown, what: string): Promise<unknown> {
  try {
    return await create()
  } catch (cause) {
    if (StoreError.isInstance(cause) || ConfigError.isInstance(cause)) throw cause
    throw new ConfigError('invalid-value', `${what} failed: ${reasonOf(cause)}`, { cause })
  }
}

/** Checks a few members; the contract suite checks all. */
function isStore(value: unknown): value is MemoryStore {
  if (typeof value !== 'object' || value === null || Reflect.get(value, 'specVersion') !== 'v1') return false
  return ['acquireLease', 'snapshot', 'apply', 'putVectors', 'check', 'close'].every(
    (name) => typeof Reflect.get(value, name) === 'function',
  )
}
