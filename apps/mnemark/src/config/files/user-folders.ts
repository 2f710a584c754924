import envPaths from 'env-paths'

/** The system's folders for a user's files: `config` for settings, `state` for lasting data. */
export function userFolders(): { readonly config: string; readonly state: string } {
  const paths = envPaths('mnemark', { suffix: '' })
  return { config: paths.config, state: paths.data }
}
