import envPaths from 'env-paths'

/** Where this system keeps what belongs to a user: `config` for settings, `data` for what must last (the state folder). */
export function userFolders(): { readonly config: string; readonly state: string } {
  const paths = envPaths('mnemark', { suffix: '' })
  return { config: paths.config, state: paths.data }
}
