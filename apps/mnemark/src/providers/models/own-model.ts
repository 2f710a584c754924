import { ConfigError, type ModelModuleOptions, ProviderError } from '@mnemark/spec'
import { loadModule, type NamedModule, reasonOf } from '../../config/files/load-module.ts'
import { withoutUndefined } from '../../config/without-undefined.ts'
import type { ModelParts } from './model-parts.ts'

interface OwnModel<Model> {
  /** The function that the module exports. */
  readonly exported: 'createGenerator' | 'createReranker'
  readonly isOne: (value: unknown) => value is Model
  /** The thing it must return, in words for an error. */
  readonly wanted: string
}

/**
 * Creates the model of a configured module. Rejects with ConfigError for an invalid module, with ProviderError `config` if
 * its function throws anything but a ProviderError.
 */
export async function ownModel<Model>(
  module: NamedModule,
  parts: ModelParts,
  { exported, isOne, wanted }: OwnModel<Model>,
  configFile: string | null,
): Promise<Model> {
  const { file, create } = await loadModule(module, exported, configFile)
  const what = `${module.key}: ${exported} of ${file}`
  const model = await called(() => create(optionsOf(module, parts)), what, parts.link.id)
  if (isOne(model)) return model
  throw new ConfigError('invalid-value', `${what} must return ${wanted}`)
}

function optionsOf({ options }: NamedModule, { link, apiKey, baseUrl, headers, model }: ModelParts): ModelModuleOptions {
  return { id: link.id, ...withoutUndefined({ apiKey, baseUrl, model }), headers, options }
}

async function called(create: () => unknown, what: string, provider: string): Promise<unknown> {
  try {
    return await create()
  } catch (cause) {
    if (ProviderError.isInstance(cause)) throw cause
    throw new ProviderError('config', `${what} failed: ${reasonOf(cause)}`, { provider, cause })
  }
}

/** Whether a value has members of these types. */
export function hasMembers(value: unknown, members: Readonly<Record<string, string>>): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(members).every(([name, type]) => typeof Reflect.get(value, name) === type)
}
