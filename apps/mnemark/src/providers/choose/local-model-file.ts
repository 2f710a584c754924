import { resolve } from 'node:path'
import { expandVariables } from '../../config/expand-variables.ts'
import { expandHome } from '../../config/files/home-path.ts'
import type { LinkSettings } from '../../config/resolve/settings.ts'
import type { ProviderSources } from '../keys/provider-context.ts'

/** The configured model, with a path made absolute; null if none is named. Throws ConfigError for a variable that is not set. */
export function modelReference(link: LinkSettings, { environment, workspace }: ProviderSources): string | null {
  const named = link.local.modelPath
  const model = named === undefined ? link.model : expandVariables(named.value, named.key, environment)
  if (model === undefined) return null
  return isFetched(model) ? model : resolve(workspace, expandHome(model))
}

/** The file of the model; null if none is named, or if it is downloaded. */
export function modelFile(link: LinkSettings, sources: ProviderSources): string | null {
  if (link.local.modelPath === undefined) return null
  const model = modelReference(link, sources)
  return model === null || isFetched(model) ? null : model
}

const isFetched = (model: string): boolean => /^(?:hf:|https?:)/.test(model)
