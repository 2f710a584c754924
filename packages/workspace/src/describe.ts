import type { ExtraRoot } from './paths/extra-paths.ts'
import type { IgnoreRule, LeftOutReason } from './paths/indexable.ts'
import type { ScanSettings, ScanTally } from './listing/scan.ts'
import type { OtherEncoding } from './source.ts'
import type { RootsSnapshot } from './listing/roots-snapshot.ts'

/** A root and its state, for people. */
export interface RootDescription {
  /** As configured; absolute for the workspace itself. */
  readonly configured: string
  /** The actual location, links resolved. */
  readonly realPath: string
  /** True if the configured path is itself a link; it is followed once. */
  readonly isLink: boolean
  /** Why it cannot be used; null when it can. */
  readonly problem: string | null
}

export interface ExtraPathDescription extends RootDescription {
  readonly kind: ExtraRoot['kind']
  /** The prefix of its paths: `extra/<name>/`. */
  readonly prefix: string
  /** Documents of the last listing; a file that another root already gave is not counted again. */
  readonly documents?: number
}

/** Counts of one listing. */
export interface ListingDescription {
  readonly documents: number
  /** Files that were skipped, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** Files and whole folders left out, by rule. */
  readonly leftOut: Readonly<Partial<Record<LeftOutReason, number>>>
  /** Parts that could not be listed. If not empty, this listing must not remove anything from an index. */
  readonly failures: readonly string[]
}

export interface WorkspaceDescription {
  readonly root: RootDescription
  readonly kind: 'memory' | 'plain'
  /** The long-term file in use; null if there is none. */
  readonly curated: string | null
  readonly extraPaths: readonly ExtraPathDescription[]
  /** The rules of the ignore list that apply. */
  readonly ignore: readonly IgnoreRule[]
  readonly maxFileBytes: number
  /** One sentence each, for people. */
  readonly warnings: readonly string[]
  /** Notes read in this process that are not plain UTF-8. */
  readonly otherEncodings: readonly OtherEncoding[]
  /** Absent until a listing ran to its end in this process. */
  readonly lastListing?: ListingDescription
}

export function describeWorkspace(
  snapshot: RootsSnapshot,
  settings: ScanSettings,
  { tally, otherEncodings }: { readonly tally: ScanTally | null; readonly otherEncodings: readonly OtherEncoding[] },
): WorkspaceDescription {
  const { workspace, layout } = snapshot
  const extraPaths = snapshot.extras.map(({ configured, root }) => describeExtra(configured, root, tally))
  return {
    root: { configured: workspace.base, realPath: workspace.realBase, isLink: snapshot.isLink, problem: workspace.problem },
    kind: layout.kind,
    curated: layout.curated,
    extraPaths,
    ignore: [...settings.rules],
    maxFileBytes: settings.maxFileBytes,
    warnings: [
      ...snapshot.warnings,
      ...extraPaths.filter(isIdle).map(({ configured }) => `Extra path ${configured} adds no notes.`),
    ],
    otherEncodings,
    ...(tally !== null && { lastListing: describeListing(tally) }),
  }
}

function describeExtra(configured: string, root: ExtraRoot, tally: ScanTally | null): ExtraPathDescription {
  return {
    configured,
    realPath: root.file?.realPath ?? root.realBase,
    isLink: root.isLink,
    problem: root.problem,
    kind: root.kind,
    prefix: root.prefix,
    ...(tally !== null && { documents: tally.documentsOfRoot.get(root.label) ?? 0 }),
  }
}

function isIdle(extra: ExtraPathDescription): boolean {
  return extra.documents === 0 && extra.problem === null
}

function describeListing(tally: ScanTally): ListingDescription {
  return {
    documents: tally.documents,
    skipped: Object.fromEntries(tally.skipped),
    leftOut: Object.fromEntries(tally.leftOut),
    failures: tally.failures,
  }
}
