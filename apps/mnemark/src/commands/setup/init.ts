import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Invocation } from '../../command.ts'
import { isFile, isFolder } from '../../config/files/find-workspace.ts'
import { CONFIG_FILE } from '../../config/files/config-file.ts'
import { keepAgreement } from '../../config/ask-for-trust.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'

const MEMORY_TEXT = `# Memory

Lasting facts, decisions and preferences, one per line.
`

const CONFIG_TEXT = `// Settings of Mnemark for this workspace. Every key may be left out; the values shown are the defaults.
// Providers, programs, keys and paths outside this folder count once they are allowed: mnemark trust, or mnemark config set KEY VALUE.
{
  agents: {
    defaults: {
      // userTimezone: "Asia/Riyadh",       // days are counted in it; without it, in the time zone of the system
      memorySearch: {
        // provider: "auto",                // a model file or a key that is there, after asking; by name: "openai", "ollama", …; "none": keywords only
        // fallback: ["ollama"],            // who makes vectors while the provider fails
        // remote: { consent: true },       // notes may be sent to the host that "auto" finds
        // extraPaths: ["~/shared-notes"],  // more Markdown files and folders
        // query: {
        //   maxResults: 6,
        //   hybrid: {
        //     mmr: { enabled: false, lambda: 0.7 },                  // hits that differ from each other
        //     temporalDecay: { enabled: false, halfLifeDays: 30 },   // recent notes first
        //   },
        // },
      },
    },
  },
}
`

/** Makes a workspace of a new or existing folder. Existing files stay unchanged. */
export async function init({ words, globalOptions, console, currentFolder }: Invocation): Promise<ExitCode> {
  const workspace = resolve(currentFolder, words[0] ?? globalOptions.workspace ?? '.')
  if (existsSync(workspace) && !isFolder(workspace)) {
    throw new CommandError('no-folder', `${workspace} is not a folder`, {
      next: 'Name a folder, or a path that does not exist yet.',
    })
  }
  const hadPlainNotes = isPlainFolderOfNotes(workspace)
  mkdirSync(workspace, { recursive: true })
  const created: string[] = []
  const existing: string[] = []
  const record = (name: string, isNew: boolean): void => void (isNew ? created : existing).push(name)
  // Without MEMORY.md, memory.md is the curated file: a new MEMORY.md would replace it.
  if (isFile(join(workspace, 'memory.md')) && !existsSync(join(workspace, 'MEMORY.md'))) record('memory.md', false)
  else record('MEMORY.md', makeFile(join(workspace, 'MEMORY.md'), MEMORY_TEXT))
  for (const folder of ['memory', 'bank']) record(`${folder}/`, makeFolder(join(workspace, folder)))
  const isOurs = makeFile(join(workspace, CONFIG_FILE), CONFIG_TEXT, 0o600)
  record(CONFIG_FILE, isOurs)
  // The user has just had this file written, so it is trusted, though nothing in it needs trust yet.
  if (isOurs) keepAgreement([], workspace)
  console.document({ workspace, created, existing })
  console.print(`Workspace ${workspace}`)
  if (created.length > 0) console.print(`  made: ${created.join(', ')}`)
  if (existing.length > 0) console.print(`  already there, unchanged: ${existing.join(', ')}`)
  if (hadPlainNotes) {
    console.note(
      'mnemark: notes outside MEMORY.md, memory/ and bank/ are no longer searched: move them there, or name them in extraPaths',
    )
  }
  return EXIT.done
}

/** A folder of Markdown without the layout is searched whole; creating the layout would end that. */
function isPlainFolderOfNotes(workspace: string): boolean {
  if (!isFolder(workspace)) return false
  const names = readdirSync(workspace)
  const hasLayout = names.some((name) => name === 'MEMORY.md' || name === 'memory.md' || name === 'memory')
  return !hasLayout && names.some((name) => /\.(?:md|markdown)$/i.test(name))
}

function makeFile(path: string, text: string, mode = 0o644): boolean {
  if (existsSync(path)) return false
  writeFileSync(path, text, { flag: 'wx', mode })
  if (mode === 0o600) chmodSync(path, mode)
  return true
}

function makeFolder(path: string): boolean {
  if (existsSync(path)) return false
  mkdirSync(path)
  return true
}
