import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type ExtraPath, type ExtraRoot, lookAtExtraPath, nameExtraPaths } from '../paths/extra-paths.ts'
import { type IgnoreRule, isMarkdownName } from '../paths/indexable.ts'
import { type Layout, layoutMayEnter, layoutSelects, readLayout, UNKNOWN_LAYOUT } from '../paths/layout.ts'
import { systemReason } from '../problems.ts'
import type { Root } from '../paths/root.ts'

/** The roots as they are on disk now: a few system calls; nothing below the roots is read. */
export interface RootsSnapshot {
  readonly workspace: Root
  readonly isLink: boolean
  readonly layout: Layout
  readonly extras: readonly { readonly configured: string; readonly root: ExtraRoot }[]
  /** The workspace comes first, so that a note in two roots keeps its path in the workspace. */
  readonly roots: readonly Root[]
  readonly warnings: readonly string[]
}

export function snapshotRoots(folder: string, extraPaths: readonly ExtraPath[], rules: ReadonlySet<IgnoreRule>): RootsSnapshot {
  const { layout, isLink, realPath, problem } = lookAtFolder(folder, rules)
  const workspace: Root = {
    label: 'the workspace folder',
    prefix: '',
    base: folder,
    realBase: realPath,
    problem,
    file: null,
    selects: (path) => layoutSelects(layout, path),
    mayEnter: (path) => layoutMayEnter(layout, path),
  }
  const names = nameExtraPaths(extraPaths, (name) => layout.kind === 'plain' && existsSync(join(realPath, 'extra', name)))
  const extras = extraPaths.map((extra) => ({
    configured: extra.configured,
    root: lookAtExtraPath(extra, names.get(extra) ?? extra.configured),
  }))
  return {
    workspace,
    isLink,
    layout,
    extras,
    roots: [workspace, ...extras.map((extra) => extra.root)],
    warnings: [
      ...(problem === null ? [] : [`The workspace folder cannot be used: ${problem}.`]),
      ...layout.failures.map((failure) => `Nothing is removed from the index because ${failure}.`),
      ...layout.warnings,
      ...extras.flatMap(({ configured, root }) => warningsOf(configured, root)),
    ],
  }
}

function warningsOf(configured: string, root: ExtraRoot): string[] {
  if (root.problem !== null) return [`Extra path ${configured} cannot be used: ${root.problem}.`]
  if (root.file !== null && !isMarkdownName(root.file.name)) return [`Extra path ${configured} is not Markdown and is not read.`]
  return []
}

interface FolderLook {
  readonly realPath: string
  readonly isLink: boolean
  readonly problem: string | null
  readonly layout: Layout
}

function lookAtFolder(folder: string, rules: ReadonlySet<IgnoreRule>): FolderLook {
  try {
    const isLink = lstatSync(folder).isSymbolicLink()
    const realPath = realpathSync.native(folder)
    return { realPath, isLink, problem: null, layout: readLayout(realPath, rules) }
  } catch (error) {
    return { realPath: folder, isLink: false, problem: systemReason(error), layout: UNKNOWN_LAYOUT }
  }
}
