import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, extname, join, resolve, sep } from 'node:path'
import { ConfigError } from '@mnemark/spec'
import { isMarkdownName } from './indexable.ts'
import { systemReason } from '../problems.ts'
import type { Root } from './root.ts'

/** An extra path as configured, parsed once when the workspace is opened. */
export interface ExtraPath {
  readonly configured: string
  /** A file or folder, or the folder a glob begins in; absolute, links unresolved. */
  readonly absolute: string
  readonly glob: PathGlob | null
}

/** A glob below its base folder. */
interface PathGlob {
  matches(path: string): boolean
  mayEnter(folder: string): boolean
}

/** An extra path as it is on disk now. */
export interface ExtraRoot extends Root {
  readonly kind: 'file' | 'folder' | 'glob'
  readonly isLink: boolean
}

/** Expands `~` and `~/x` to the user's home folder, as a shell does; nothing else. */
export function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') || path.startsWith('~\\') ? join(homedir(), path.slice(1)) : path
}

/**
 * Takes a configured extra path apart. What exists under exactly that name is never read as a glob.
 * @throws ConfigError `invalid-value` for a blank entry or one with a NUL
 */
export async function parseExtraPath(configured: string, workspaceFolder: string): Promise<ExtraPath> {
  if (configured.trim() === '' || configured.includes('\0')) {
    throw new ConfigError(
      'invalid-value',
      `extraPaths: expected the path of a file or folder, got ${JSON.stringify(configured)}.`,
    )
  }
  const absolute = resolve(workspaceFolder, expandHome(configured))
  const at = existsSync(absolute) ? -1 : globStart(absolute.replaceAll(sep, '/'))
  if (at === -1) return { configured, absolute, glob: null }
  const base = absolute.slice(0, at) || sep
  return {
    configured,
    absolute: base,
    glob: await compileGlob(
      absolute
        .slice(at + 1)
        .replaceAll(sep, '/')
        .split('/'),
    ),
  }
}

const GLOB_SYNTAX = /[*?]|\[[^\]/]{1,200}\]|\{[^}]{0,200}[,.][^}]{0,200}\}/gu

/** Index of the last separator before the first glob, -1 without a glob. A folder really called `[a]` is not a glob. */
function globStart(path: string): number {
  for (const { index } of path.matchAll(GLOB_SYNTAX)) {
    const end = path.indexOf('/', index)
    if (end === -1 || !existsSync(path.slice(0, end))) return path.lastIndexOf('/', index)
  }
  return -1
}

async function compileGlob(segments: readonly string[]): Promise<PathGlob> {
  // Loaded here: most workspaces have no glob, and every module slows down a command.
  const { default: picomatch } = await import('picomatch')
  const compile = (parts: readonly string[]): ((path: string) => boolean) => picomatch(parts.join('/'), { dot: true })
  const whole = compile(segments)
  // A brace that spans a separator cannot be matched folder by folder.
  const isSplittable = segments.every((segment) => segment.split('{').length === segment.split('}').length)
  const firstDeep = segments.findIndex((segment) => segment.includes('**'))
  const exactDepth = !isSplittable ? 0 : firstDeep === -1 ? segments.length : firstDeep
  const byDepth = Array.from({ length: exactDepth }, (_, index) => compile(segments.slice(0, index + 1)))
  const matches = (path: string): boolean => prefixes(path).some((part) => whole(part))
  return {
    matches,
    mayEnter(folder) {
      const depth = folder.split('/').length
      if (depth < segments.length && depth <= exactDepth) return byDepth[depth - 1]?.(folder) ?? true
      return exactDepth < segments.length || matches(folder)
    },
  }
}

/** The path and each folder above it: a glob that matches a folder includes everything below it. */
function prefixes(path: string): string[] {
  const segments = path.split('/')
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
}

/**
 * Gives each extra path its name: the folder's own, the parent folder's for a single file. A name already taken gets `-2`, `-3`
 * in the order of the configuration, so a name never depends on what is on disk or mounted today.
 * @param isTaken names the workspace already uses below its own `extra/`
 */
export function nameExtraPaths(extras: readonly ExtraPath[], isTaken: (name: string) => boolean): ReadonlyMap<ExtraPath, string> {
  const nameOfBase = new Map<string, string>()
  const used = new Set<string>()
  const names = new Map<ExtraPath, string>()
  for (const extra of extras) {
    const base = baseOf(extra)
    let name = nameOfBase.get(base)
    if (name === undefined) {
      const wanted = basename(base) || 'root'
      name = wanted
      for (let count = 2; used.has(name) || isTaken(name); count += 1) name = `${wanted}-${count}`
      nameOfBase.set(base, name)
      used.add(name)
    }
    names.set(extra, name)
  }
  return names
}

function baseOf(extra: ExtraPath): string {
  return isSingleFile(extra) ? dirname(extra.absolute) : extra.absolute
}

function isSingleFile(extra: ExtraPath): boolean {
  if (extra.glob !== null) return false
  try {
    return !statSync(extra.absolute).isDirectory()
  } catch {
    return isMarkdownName(basename(extra.absolute))
  }
}

/** Resolves an extra path, following a link once; states its problem if it is unusable. */
export function lookAtExtraPath(extra: ExtraPath, name: string): ExtraRoot {
  const isFile = isSingleFile(extra)
  const shared = {
    label: `extra path ${extra.configured}`,
    prefix: `extra/${name}/`,
    base: baseOf(extra),
    kind: extra.glob !== null ? 'glob' : isFile ? 'file' : 'folder',
    selects: (path: string): boolean => (isFile ? path === basename(extra.absolute) : (extra.glob?.matches(path) ?? true)),
    mayEnter: (folder: string): boolean => !isFile && (extra.glob?.mayEnter(folder) ?? true),
  } as const
  try {
    const isLink = lstatSync(extra.absolute).isSymbolicLink()
    const realPath = realpathSync.native(extra.absolute)
    if (!isFile) {
      const problem = statSync(realPath).isDirectory() ? null : 'it is not a folder'
      return { ...shared, realBase: realPath, problem, file: null, isLink }
    }
    const file = { name: basename(extra.absolute), realPath }
    // A name without an extension is a folder's, and the notes in it may still exist.
    const problem = extname(file.name) === '' ? 'it is a file, not a folder' : null
    return { ...shared, realBase: dirname(realPath), problem, file, isLink }
  } catch (error) {
    return { ...shared, realBase: shared.base, problem: systemReason(error), file: null, isLink: false }
  }
}
