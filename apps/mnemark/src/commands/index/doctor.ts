import type { Workspace } from '@mnemark/workspace'
import type { Invocation } from '../../command.ts'
import type { Settings } from '../../config/load-settings.ts'
import { checkConversations } from '../../doctor/check-conversations.ts'
import { checkConfiguration } from '../../doctor/check-configuration.ts'
import { checkJournal } from '../../doctor/check-journal.ts'
import { checkModels } from '../../doctor/check-models.ts'
import { checkIndex } from '../../doctor/check-index.ts'
import { checkNotes } from '../../doctor/check-notes.ts'
import { checkPlace } from '../../doctor/check-place.ts'
import { checkKeys, checkProviders } from '../../doctor/check-providers.ts'
import { checkExtension, checkNative, checkRuntime } from '../../doctor/check-runtime.ts'
import { checkSecrets } from '../../doctor/check-secrets.ts'
import type { Check } from '../../doctor/check.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { maskMessage } from '@mnemark/masking'
import { findIndexPlace } from '../../memory/index/index-place.ts'
import { encodingNotes } from '../../printing/encoding-notes.ts'
import { openNotes } from '../../memory/open/open-memory.ts'
import { printable } from '../../terminal/isolate.ts'

/** Checks everything Mnemark depends on; with --fix, repairs the index. Exit code 1 if a check fails. */
export async function doctor(invocation: Invocation): Promise<ExitCode> {
  const { console } = invocation
  const fixed: string[] = []
  const native = await checkNative()
  const { settings, check } = await checkConfiguration(invocation)
  const found: Check[] = [checkRuntime(), native, check]
  if (settings !== null) found.push(checkKeys(settings))
  if (settings !== null && settings.switchedOffBy === null) {
    found.push(...(await checkFiles(settings)))
    const isFixing = invocation.options.has('fix')
    if (settings.qmd !== null) found.push(...(await checkQmd(settings, settings.qmd)))
    if (native.status === 'ok') {
      const extension = await checkExtension(settings)
      if (extension !== null) found.push(extension)
      const index = await checkIndex(settings, { isFixing, console, fixed })
      found.push(...index, ...(await checkNames(settings, index)))
      if (settings.sources.includes('memory')) found.push(...(await checkProviders(settings)))
    }
    found.push(...(await checkModels(settings)))
    found.push(...(await checkConversations(settings, { isFixing, fixed })))
  }
  // Messages of providers and engines may quote a key.
  const checks = found.map((one) => ({ ...one, message: maskMessage(one.message) }))
  console.document({ checks, fixed })
  for (const { name, status, message, next } of checks) {
    console.print(printable(`${status.padEnd(7)}  ${name}: ${message}${next === undefined ? '' : `\n         ${next}`}`))
  }
  for (const what of fixed) console.print(`fixed    ${what}`)
  return checks.some(({ status }) => status === 'failed') ? EXIT.nothing : EXIT.done
}

async function checkNames(settings: Settings, index: readonly Check[]): Promise<readonly Check[]> {
  const place =
    settings.storeModule === null && index.every(({ status }) => status !== 'failed') ? findIndexPlace(settings) : null
  return place === null ? [] : (await import('../../doctor/check-entities.ts')).checkEntities(place.file)
}

async function checkQmd(settings: Settings, qmd: NonNullable<Settings['qmd']>): Promise<readonly Check[]> {
  const { checkQmdBackend } = await import('../../doctor/check-qmd-backend.ts')
  return checkQmdBackend({ ...settings, qmd })
}

/** Call after all notes have been read. */
function checkEncodings(notes: Workspace): readonly Check[] {
  const named = encodingNotes(notes.describe().otherEncodings)
  return named.length === 0 ? [] : [{ name: 'encodings', status: 'warning', message: named.join('\n         ') }]
}

async function checkFiles(settings: Settings): Promise<readonly Check[]> {
  const notes = await openNotes(settings)
  const { root, warnings } = notes.describe()
  if (root.problem !== null) {
    const message = `${root.configured}: ${root.problem}`
    return [{ name: 'workspace', status: 'failed', message, next: 'Check the folder, or name another.' }]
  }
  const message = [root.configured, ...warnings].join('; ')
  const workspace: Check = { name: 'workspace', status: warnings.length === 0 ? 'ok' : 'warning', message }
  const file = findIndexPlace(settings)?.file
  const place = file === undefined ? null : checkPlace(file)
  return [
    workspace,
    ...(await checkNotes(notes, settings.memory.dateOrder)),
    ...(await checkJournal(settings)),
    ...(await checkSecrets(notes)),
    ...checkEncodings(notes),
    ...(place === null ? [] : [place]),
  ]
}
