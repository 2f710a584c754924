import type { SyncReport } from '@mnemark/spec'
import type { Settings } from '../../config/load-settings.ts'
import type { OpenOptions } from '../../memory/open/open-memory.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import type { Console } from '../../terminal/console.ts'
import { tokensText } from '../../terminal/tokens-text.ts'
import { findIndexPlace } from '../../memory/index/index-place.ts'
import type { Consent } from '../../providers/use/consent.ts'
import type { UsableChain } from '../../providers/use/usable-chain.ts'

/**
 * Settles consent if `auto` found a host that nobody named or was asked about: `isAgreed` answers, else a person at the terminal
 * is asked once and shown what would be sent. Undefined if there is nothing to ask, or nobody to answer. Sends and writes
 * nothing.
 */
export async function settleConsent(
  settings: Settings,
  { console, isAgreed }: { readonly console: Console; readonly isAgreed: boolean },
): Promise<OpenOptions['consent']> {
  // Another backend gets the texts and nobody else does.
  if (settings.qmd !== null || settings.provider.requested !== 'auto' || settings.provider.consent !== undefined) return undefined
  const open = await openMemory(settings, { isReadOnly: true, vectors: 'estimate', isBuiltInOnly: true })
  try {
    const { consent } = open.chain
    if (consent === null || consent.answer === 'allowed') return undefined
    if (isAgreed) return { host: consent.host, answer: 'allowed' }
    if (consent.answer === 'refused' || !console.canAsk) return undefined
    const answer = await console.ask(question(consent, await open.memory.sync({ isDryRun: true })))
    return answer === null ? undefined : { host: consent.host, answer: /^y(?:es)?$/i.test(answer) ? 'allowed' : 'refused' }
  } finally {
    await open.close()
  }
}

function question({ host, provider }: NonNullable<UsableChain['consent']>, report: SyncReport): string {
  const { model } = provider.space
  return (
    `There is a key for ${provider.space.provider}. To find notes by meaning, ${report.total} documents (${tokensText(report)})\n` +
    `would be sent to ${host}, to be embedded by ${model}. Later changes and queries would be sent too.\nSend them? [y/N] `
  )
}

/**
 * Settles consent for files that newly came into the index and would be sent for embedding: `isAgreed` answers, else a person at
 * the terminal is asked once. Undefined if there is nothing to ask, or nobody to answer.
 */
export async function settleWidening(
  settings: Settings,
  { console, isAgreed }: { readonly console: Console; readonly isAgreed: boolean },
): Promise<Consent | undefined> {
  if (settings.qmd !== null) return undefined
  if (settings.storeModule === null && findIndexPlace(settings) === null) return undefined
  if (isAgreed) return 'allowed'
  if (!console.canAsk) return undefined
  const open = await openMemory(settings, { isReadOnly: true, isBuiltInOnly: true })
  try {
    if (open.widened === null || open.widened.degraded.length === 0) return undefined
    const report = await open.memory.sync({ isDryRun: true })
    const answer = await console.ask(
      `Notes outside MEMORY.md, memory/ and bank/ are new to this index. To find them by meaning, texts of ${report.total} documents\n` +
        `(${tokensText(report)}) would be sent to ${open.widened.provider}. Without, they are found by words. Send them? [y/N] `,
    )
    return answer === null ? undefined : /^y(?:es)?$/i.test(answer) ? 'allowed' : 'refused'
  } finally {
    await open.close()
  }
}
