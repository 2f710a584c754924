import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { planCollections, qmdHome, qmdReader } from '@mnemark/store-qmd'
import type { QmdCollection, QmdHome } from '@mnemark/store-qmd'
import type { DocumentReader } from '@mnemark/spec'
import { openWorkspace } from '@mnemark/workspace'
import { expandHome } from '../config/files/home-path.ts'
import type { Settings } from '../config/load-settings.ts'
import { userFolders } from '../config/files/user-folders.ts'
import { findState } from '../state/workspace-state.ts'
import type { QmdSettings } from '../config/schema/qmd-settings.ts'

/** Settings of an agent whose backend is QMD. */
export type QmdAgent = Settings & { readonly qmd: QmdSettings }

/** The home of a QMD that was never set up. Never in the workspace: QMD runs commands from its own configuration there. */
const NOWHERE = join(userFolders().state, 'workspaces', 'none')

export function usesQmd(settings: Settings): settings is QmdAgent {
  return settings.qmd !== null
}

/** The location of an agent's QMD and the folders it indexes; nothing is created. */
export interface QmdPlace {
  readonly home: QmdHome
  readonly collections: readonly QmdCollection[]
}

export function findQmdPlace(settings: QmdAgent): QmdPlace {
  const { qmd, workspace, agentId, extraPaths } = settings
  const home = qmdHome(findState(settings) ?? NOWHERE, agentId)
  const collections = planCollections({
    workspace,
    includeDefaultMemory: qmd.includeDefaultMemory,
    paths: [...qmd.paths, ...extraPaths.map((path) => splitGlob(expandHome(path)))],
    sessionsFolder: qmd.sessions.isEnabled ? (qmd.sessions.exportFolder ?? home.sessions) : null,
  })
  return { home, collections }
}

/** Reads the notes, and files outside them that QMD's answers name. */
export async function openQmdReader(settings: QmdAgent, { collections }: QmdPlace): Promise<DocumentReader> {
  const folders = collections.filter(({ folder }) => folder !== settings.workspace).map(rootOf)
  const { reader } = await openWorkspace({ root: settings.workspace, extraPaths: [...settings.extraPaths, ...folders] })
  return qmdReader({ reader, collections })
}

/** For a collection of one file, the pattern is the file's name. */
function rootOf({ folder, pattern }: QmdCollection): string {
  const file = join(folder, pattern)
  return existsSync(file) ? file : folder
}

/** Extra paths may be globs; QMD takes a folder and a pattern below it. */
function splitGlob(path: string): { readonly path: string; readonly pattern?: string } {
  const at = existsSync(path) ? -1 : path.search(/[*?[{]/)
  if (at === -1) return { path, pattern: '**/*.{md,markdown}' }
  const border = path.slice(0, at).lastIndexOf('/')
  return { path: path.slice(0, border) || (border === 0 ? '/' : '.'), pattern: path.slice(border + 1) }
}
