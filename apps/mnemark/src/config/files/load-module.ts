import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigError } from '@mnemark/spec'
import { moduleFile } from './module-file.ts'
import { show } from './show-value.ts'

/** A module that the configuration names. */
export interface NamedModule {
  /** The key that names it. */
  readonly key: string
  /** As written: a path from the folder of the configuration file, or a package. */
  readonly name: string
  /** Options from the configuration, with variables replaced. */
  readonly options: Readonly<Record<string, unknown>>
}

/** A loaded module, ready to be called. */
export interface LoadedModule {
  readonly file: string
  readonly create: (options: object) => unknown
}

/**
 * Loads the module and finds `exported`, or the default export, in it. Its code runs. Throws ConfigError that names the key, the file, and
 * what must be exported.
 */
export async function loadModule({ key, name }: NamedModule, exported: string, configFile: string | null): Promise<LoadedModule> {
  const folder = configFile === null ? process.cwd() : dirname(configFile)
  const file = moduleFile(name, folder)
  const wanted = `a module that exports the function ${exported}(options), by that name or as default`
  if (file === null)
    throw new ConfigError('invalid-value', `${key} is ${show(name)}, which is not found from ${folder}; allowed: ${wanted}`)
  const module = await importFile(file, key, wanted)
  const create: unknown = Reflect.get(module, exported) ?? Reflect.get(module, 'default')
  if (typeof create === 'function') return { file, create: (options) => create(options) }
  const names = Object.keys(module)
  const found = names.length === 0 ? 'exports nothing' : `exports ${names.join(', ')}`
  throw new ConfigError('invalid-value', `${key}: ${file} ${found}; needed: ${wanted}`)
}

async function importFile(file: string, key: string, wanted: string): Promise<object> {
  try {
    return await import(pathToFileURL(file).href)
  } catch (cause) {
    throw new ConfigError('invalid-value', `${key}: ${file} cannot be loaded: ${reasonOf(cause)}; needed: ${wanted}`, { cause })
  }
}

/** The first line of what was thrown. */
export function reasonOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? ''
}
