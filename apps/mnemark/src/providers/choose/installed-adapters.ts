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

/** Which providers have everything they need on this machine. */
export interface Adapters {
  isInstalled(id: ProviderId): boolean
}

export const INSTALLED: Adapters = { isInstalled }

function isInstalled(id: ProviderId): boolean {
  const name = OPTIONAL_PACKAGES[id]
  if (name === undefined) return true
  // The library of local models is beside its adapter, wherever that is.
  const from = id === 'local' ? folderOf('@mnemark/embed-local', import.meta.url) : import.meta.url
  return from !== undefined && folderOf(name, from) !== undefined
}

/** A package's real folder as resolved from a module or another package's folder. Looks for files only; loads nothing. */
function folderOf(name: string, from: string): string | undefined {
  const require = createRequire(from.startsWith('file:') ? from : join(from, 'package.json'))
  const folder = (require.resolve.paths(name) ?? [])
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')))
  return folder === undefined ? undefined : realpathSync(folder)
}

/** ProviderError `config`, with the command that installs what the provider needs. */
export function notInstalled(adapter: ProviderId, link: string = adapter): ProviderError {
  const name = OPTIONAL_PACKAGES[adapter] ?? `@mnemark/embed-${adapter}`
  const command = installCommand(name, fileURLToPath(import.meta.url))
  return new ProviderError('config', `${link}: ${name} is not installed. Run \`${command}\`.`, { provider: link })
}

/** Throws ProviderError `config`, with the command that installs it, for the package of a model that is not there. */
export function requireModelPackage(name: string, link: string): void {
  if (folderOf(name, import.meta.url) !== undefined) return
  const command = installCommand(name, fileURLToPath(import.meta.url))
  throw new ProviderError('config', `${link}: ${name} is not installed. Run \`${command}\`.`, { provider: link })
}

/** The command that installs a package beside the program that runs from `program`, a file's path. */
export function installCommand(name: string, program: string, hasFile: (path: string) => boolean = existsSync): string {
  const end = program.indexOf(`${sep}node_modules${sep}`)
  // An installed checkout has them all.
  if (end === -1) return 'pnpm install'
  const folder = program.slice(0, end)
  if (dirname(folder).endsWith(`${sep}_npx`)) return `npx -p mnemark -p ${name} mnemark`
  // With pnpm, globally installed packages see each other only if they were installed in one command.
  if (folder.includes(`${sep}pnpm${sep}global${sep}`)) return `pnpm add -g mnemark ${name}`
  if (!hasFile(join(folder, 'package.json'))) return `npm install -g ${name}`
  if (hasFile(join(folder, 'pnpm-lock.yaml'))) return `pnpm add --dir ${folder} ${name}`
  return `npm install --prefix ${folder} ${name}`
}
