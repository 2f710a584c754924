import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings } from '../../src/config/load-settings.ts'
import { openMemory } from '../../src/memory/open/open-memory.ts'
import type { OpenMemory } from '../../src/memory/open/open-memory.ts'

/** Opens a workspace as the commands do, blind to the settings of the machine. `root` holds the folder `notes`. */
export async function openAt(root: string, stateFolder?: string): Promise<OpenMemory> {
  const config = join(root, 'empty.json5')
  mkdirSync(root, { recursive: true })
  writeFileSync(config, '{}')
  const workspace = join(root, 'notes')
  const options = { workspace, config, ...(stateFolder === undefined ? {} : { state: stateFolder }) }
  return openMemory(await loadSettings(options, workspace, {}))
}

export function indexFileOf(root: string): string {
  return join(root, 'notes', '.mnemark', 'main.sqlite')
}
