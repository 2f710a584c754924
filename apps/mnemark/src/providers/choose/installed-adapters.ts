import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ProviderError } from '@mnemark/spec'
import type { ProviderId } from '../../config/schema/provider-ids.ts'

/** Packages installed beside the program on demand: the SDKs of these providers take 4 to 80 MB each. */
const OPTIONAL_PACKAGES: Readonly<Partial<Record<ProviderId, string>>> = {
  openai: '@mnemark/embed-openai',
  gemini: '@mnemark/embed-gemini',
  voyage: '@mnemark/embed-voyage',
  mistral: '@mnemark/embed-mistral',
  bedrock: '@mnemark/embed-bedrock',
  local: 'node-llama-cpp',
}

/** Which providers have all that they need on this machine. */
export interface Adapters {
  isInstalled(id: ProviderId): boolean
}

export const INSTALLED: Adapters = { isInstalled }

function isInstalled(id: ProviderId): boolean {
  const name = OPTIONAL_PACKAGES[id]
  if (name === undefined) return true
  // The library of local models stands beside its adapter, wherever that is.
  const from = id === 'local' ? folderOf('@mnemark/embed-local', import.meta.url) : import.meta.url
  return from !== undefined && folderOf(name, from) !== undefined
}

/** A package's real folder as seen from a module or another package's folder. Files are only looked for, nothing is loaded. */
function folderOf(name: string, from: string): string | undefined {
  const require = createRequire(from.startsWith('file:') ? from : join(from, 'package.json'))
  const folder = (require.resolve.paths(name) ?? [])
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')))
  return folder === undefined ? undefined : realpathSync(folder)
}

/** ProviderError `config`, with the one command that installs what the provider needs. */
export function notInstalled(adapter: ProviderId, link: string = adapter): ProviderError {
  const name = OPTIONAL_PACKAGES[adapter] ?? `@mnemark/embed-${adapter}`
  const command = installCommand(name, fileURLToPath(import.meta.url))
  return new ProviderError('config', `${link}: ${name} is not installed. Run \`${command}\`.`, { provider: link })
}

/** The command that puts a package beside the program that runs from `program`, a file's path. */
export function installCommand(name: string, program: string, hasFile: (path: string) => boolean = existsSync): string {
  const end = program.indexOf(`${sep}node_modules${sep}`)
  // A checkout has them all, once it is installed.
  if (end === -1) return 'pnpm install'
  const folder = program.slice(0, end)
  if (dirname(folder).endsWith(`${sep}_npx`)) return `npx -p mnemark -p ${name} mnemark`
  // With pnpm, what is installed globally in one go sees each other, and nothing else.
  if (folder.includes(`${sep}pnpm${sep}global${sep}`)) return `pnpm add -g mnemark ${name}`
  if (!hasFile(join(folder, 'package.json'))) return `npm install -g ${name}`
  if (hasFile(join(folder, 'pnpm-lock.yaml'))) return `pnpm add --dir ${folder} ${name}`
  return `npm install --prefix ${folder} ${name}`
}
