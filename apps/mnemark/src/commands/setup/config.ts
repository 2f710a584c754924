import { join } from 'node:path'
import { ConfigError } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import { CONFIG_FILE } from '../../config/files/config-file.ts'
import { knownKeys } from '../../config/schema/schema.ts'
import { loadSettings } from '../../config/load-settings.ts'
import type { Settings } from '../../config/load-settings.ts'
import { untrustedMessage } from '../../config/describe-untrusted.ts'
import { nameOf } from '../../config/trust/trust-record.ts'
import { userFolders } from '../../config/files/user-folders.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError, toMaskedFailure } from '../../failure.ts'
import { findIndexPlace } from '../../memory/index/index-place.ts'
import type { Console } from '../../terminal/console.ts'

const ACTIONS: Readonly<Record<string, (invocation: Invocation) => Promise<ExitCode>>> = {
  show,
  check,
  path,
  set: async (invocation) => (await import('./config-set.ts')).setKey(invocation),
  unset: async (invocation) => (await import('./config-set.ts')).unsetKey(invocation),
}

/** Shows which configuration counts, what it means and what is wrong with it, or changes a key. */
export async function config(invocation: Invocation): Promise<ExitCode> {
  const name = invocation.words[0] ?? ''
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (action !== undefined) return action(invocation)
  throw new CommandError('bad-use', `config ${JSON.stringify(name)} is not known; allowed: ${Object.keys(ACTIONS).join(', ')}`, {
    next: 'mnemark config --help shows examples.',
  })
}

function load({ globalOptions, currentFolder, environment }: Invocation): Promise<Settings> {
  return loadSettings(globalOptions, currentFolder, environment)
}

/** The settings in force, defaults filled in, secrets hidden. */
async function show(invocation: Invocation): Promise<ExitCode> {
  const {
    config: written,
    configFile,
    workspace,
    workspaceFrom,
    agentId,
    stateFolder,
    trustedFile,
    untrusted,
    environment: _,
    ...settings
  } = await load(invocation)
  const place = { agentId, workspace, stateFolder, storePath: settings.storePath }
  const { maskSettings, maskWritten } = await import('../../config/mask-secrets.ts')
  const document = {
    file: configFile,
    trustedFile,
    untrusted: untrusted?.keys.map(nameOf) ?? [],
    agent: agentId,
    workspace: { folder: workspace, from: workspaceFrom },
    index: findIndexPlace(place)?.file ?? null,
    settings: maskSettings(settings),
    written: maskWritten(written, knownKeys()),
  }
  invocation.console.document(document)
  invocation.console.verbatim(JSON.stringify(document, null, 2))
  return EXIT.done
}

/**
 * Reports every problem of the configuration and of the configured providers, without calling them; exit code 1 if there is one.
 * A known key without effect is reported, but is not a problem.
 */
async function check(invocation: Invocation): Promise<ExitCode> {
  const { console } = invocation
  try {
    const settings = await load(invocation)
    const { configFile, notHonoured } = settings
    const { untrusted, workspace } = settings
    const warnings = [
      ...settings.warnings,
      ...(untrusted === null ? [] : [untrustedMessage(untrusted, workspace)]),
      ...(await problemsOfProviders(settings)),
    ]
    console.document({ file: configFile, errors: [], warnings, notHonoured })
    console.print(configFile ?? 'no configuration file: defaults')
    for (const warning of warnings) console.print(`problem  ${warning}`)
    printUnused(console, notHonoured)
    if (warnings.length === 0) console.print('no problem found')
    return warnings.length === 0 ? EXIT.done : EXIT.nothing
  } catch (error) {
    if (!ConfigError.isInstance(error)) throw error
    const { message, next } = await toMaskedFailure(error)
    console.document({ file: null, errors: [message], warnings: [], notHonoured: [] })
    console.print(`problem  ${message}\n         ${next}`)
    return EXIT.nothing
  }
}

/** Reasons why providers, chat models or the reranker cannot be used, such as a missing key. Throws ConfigError for a variable that is not set. */
async function problemsOfProviders(settings: Settings): Promise<readonly string[]> {
  if (settings.switchedOffBy !== null) return []
  const { createChain } = await import('../../providers/build/create-chain.ts')
  const { usableGenerators, usableReranker } = await import('../../providers/models/usable-models.ts')
  const { degraded } = await createChain(settings)
  const { problems } = await usableGenerators(settings)
  const { problem } = await usableReranker(settings)
  return [...degraded, ...problems, ...(problem === null ? [] : [problem])].map(({ message }) => message)
}

function printUnused(console: Console, keys: readonly string[]): void {
  for (const key of keys) console.print(`unused   ${key} has no effect in this version`)
}

/** Prints the file in use; without one, exit code 1 and the places searched. */
async function path(invocation: Invocation): Promise<ExitCode> {
  const { console } = invocation
  const { configFile, workspace } = await load(invocation)
  const candidates = [join(workspace, CONFIG_FILE), join(userFolders().config, CONFIG_FILE)]
  console.document({ file: configFile, candidates })
  if (configFile !== null) {
    console.verbatim(configFile)
    return EXIT.done
  }
  console.note(`mnemark: no configuration file; looked for ${candidates.join(' and ')}`)
  return EXIT.nothing
}
