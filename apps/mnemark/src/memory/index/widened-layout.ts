import type { Degradation, DocumentId, EmbeddingProvider, MemoryStore } from '@mnemark/spec'
import { StoreError } from '@mnemark/spec'
import type { WorkspaceDescription } from '@mnemark/workspace'
import { keepSetting } from './index-setting.ts'

/** The setting that records which files may be embedded. */
const SETTING = 'workspace.layout'

/** Files that are in the index although nobody asked for them: an earlier version, or MEMORY.md, had left them out. */
export interface WidenedLayout {
  readonly mayEmbed: (document: DocumentId) => boolean
  /** Where their texts would be sent. */
  readonly provider: string
  readonly degraded: readonly Degradation[]
}

export interface WidenedOptions {
  readonly kind: WorkspaceDescription['kind']
  readonly providers: readonly EmbeddingProvider[]
  readonly isReadOnly: boolean
  /** The user's answer on embedding them. */
  readonly answer?: 'allowed' | 'refused' | undefined
}

/**
 * Null if every file may be embedded. Otherwise only those of the old layout may, and the others wait for a yes: they cost money,
 * or go to a host that was given only the old ones. Rejects with StoreError.
 */
export async function widenedLayout(store: MemoryStore, options: WidenedOptions): Promise<WidenedLayout | null> {
  const provider = options.providers.find(({ traits }) => !traits.isLocal)
  if (provider === undefined) return null
  try {
    return await layoutFor(store, provider, options)
  } catch (error) {
    // The next reader repairs or rebuilds it, and every reading begins here.
    if (StoreError.isInstance(error) && error.code === 'corrupt') return null
    throw error
  }
}

async function layoutFor(
  store: MemoryStore,
  provider: EmbeddingProvider,
  { kind, isReadOnly, answer }: WidenedOptions,
): Promise<WidenedLayout | null> {
  const recorded = await store.settings.get(SETTING)
  const agreed = recorded ?? (await agreedSoFar(store, kind))
  const isWider = agreed !== 'plain' && kind === 'plain'
  const now = isWider && answer !== undefined ? (answer === 'allowed' ? 'plain' : 'refused') : agreed
  // Without a difference there is nothing to record: the next command finds the same.
  if (!isReadOnly && isWider && now !== recorded) await keepSetting(store, SETTING, now)
  if (!isWider || now === 'plain') return null
  const name = provider.space.provider
  const message =
    'Notes outside MEMORY.md, memory/ and bank/ are new to this index. They are found by words; ' +
    `mnemark index --yes sends their texts to ${name}, to be found by meaning too.`
  return {
    mayEmbed: ({ path }) => wasSelected(path),
    provider: name,
    degraded: now === 'refused' ? [] : [{ code: 'consent-needed', message }],
  }
}

/** An index of an earlier version recorded nothing: the embedded files in it show what was agreed. */
async function agreedSoFar(store: MemoryStore, kind: WidenedOptions['kind']): Promise<'memory' | 'plain'> {
  const snapshot = await store.snapshot()
  try {
    if ((await snapshot.counts()).documents === 0) return kind
    if (!(await snapshot.spaces()).some(({ filled }) => filled > 0)) return kind
    for await (const { path } of snapshot.documents()) if (!wasSelected(path)) return 'plain'
    return 'memory'
  } finally {
    snapshot.release()
  }
}

/** True for paths of an agent's layout, and for extra paths, which the user named. */
function wasSelected(path: string): boolean {
  return /^(?:memory|bank|extra)\//i.test(path) || /^(?:MEMORY|memory|SOUL|USER)\.md$/.test(path)
}
