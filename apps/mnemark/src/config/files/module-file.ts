import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '@mnemark/spec'
import { expandHome } from './home-path.ts'

const IS_PATH = /^(?:\.{1,2}[\\/]|[\\/]|~[\\/]|[A-Za-z]:[\\/])/
/** Anything that looks like a relative path: imports, and files that are read. A path built at run time is not seen. */
const RELATIVE_PATH = /["'`](\.{1,2}\/[^"'`\n]{1,500})["'`]/g
/** The limit of files to look through: a larger module should be a package. */
const MOST_FILES = 500

/**
 * The file of a module named in a configuration: a path from the folder of the configuration, or a package as a module in that
 * folder would resolve it. Null if there is none.
 */
export function moduleFile(name: string, folder: string): string | null {
  if (IS_PATH.test(name)) return fileAt(resolve(folder, expandHome(name)))
  try {
    return fileAt(createRequire(join(folder, 'package.json')).resolve(name))
  } catch {
    return null
  }
}

/** A module's file with all files it names by relative paths, recursively. Throws ConfigError if there are too many. */
export function filesOfModule(file: string): readonly string[] {
  const found = new Set([file])
  for (const each of found) {
    if (found.size > MOST_FILES)
      throw new ConfigError(
        'invalid-value',
        `${file} names more than ${MOST_FILES} files by relative paths: make it one file, or a package.`,
      )
    for (const [, name = ''] of readFileSync(each, 'utf8').matchAll(RELATIVE_PATH)) {
      for (const spelling of spellings(name)) {
        const imported = importedFile(resolve(dirname(each), spelling))
        if (imported !== null) found.add(imported)
      }
    }
  }
  return [...found]
}

/** The name as a path, and as `import` reads it: a URL, with query and fragment removed and percent-encoding undone. */
function spellings(name: string): readonly string[] {
  const [path = name] = name.split(/[?#]/, 1)
  try {
    return [name, decodeURIComponent(path)]
  } catch {
    return [name, path]
  }
}

/** As `require` resolves it too, which may omit the extension. */
function importedFile(path: string): string | null {
  const candidates = [path, `${path}.js`, `${path}.cjs`, `${path}.json`, join(path, 'index.js')]
  return candidates.map(fileAt).find((file) => file !== null) ?? null
}

function fileAt(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : null
}
