import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type IgnoreRule, judgeFile, judgeFolder } from './indexable.ts'

/** Files in which agents keep instructions for themselves beside their memory, without extension. */
const AGENT_FILES: ReadonlySet<string> = new Set([
  'agents',
  'boot',
  'bootstrap',
  'claude',
  'claude.local',
  'dreams',
  'gemini',
  'heartbeat',
  'identity',
  'memory',
  'soul',
  'tools',
  'user',
])
/** Folders of an agent's workspace without a person's notes. */
const AGENT_FOLDERS: ReadonlySet<string> = new Set(['memory', 'bank', 'skills'])
/** A tree without a note in this many folders counts as having none. */
const MOST_FOLDERS = 2_000

/** Every note of a folder that does not belong to the agent who works there, level by level. Null after each folder: there the caller yields to the event loop. */
export function* otherNotes(workspace: string, rules: ReadonlySet<IgnoreRule>): Generator<string | null> {
  for (let level = ['']; level.length > 0; ) {
    const below: string[] = []
    for (const folder of level) {
      for (const entry of list(join(workspace, folder))) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (entry.isDirectory() && isEntered(workspace, path, rules)) below.push(path)
        else if (entry.isFile() && judgeFile(entry.name, rules) === 'note' && !isAgentFile(path)) yield path
      }
      yield null
    }
    level = below
  }
}

/** True if a workspace has any note that does not belong to the agent. */
export function hasOtherNotes(workspace: string, rules: ReadonlySet<IgnoreRule>): boolean {
  let folders = 0
  for (const path of otherNotes(workspace, rules)) {
    if (path !== null) return true
    folders += 1
    if (folders >= MOST_FOLDERS) return false
  }
  return false
}

function isEntered(workspace: string, path: string, rules: ReadonlySet<IgnoreRule>): boolean {
  if (AGENT_FOLDERS.has(path.toLowerCase())) return false
  return judgeFolder(path, rules, (name) => existsSync(join(workspace, path, name))) === null
}

function isAgentFile(path: string): boolean {
  return AGENT_FILES.has(path.toLowerCase().replace(/\.(?:md|markdown)$/u, ''))
}

/** A folder that cannot be listed counts as empty. */
function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
