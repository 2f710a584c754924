/** A place that is searched for notes: the workspace folder, or one extra path. */
export interface Root {
  /** The name for messages. */
  readonly label: string
  /** The prefix of every path below it: '' for the workspace, `extra/<name>/` otherwise. */
  readonly prefix: string
  /** Absolute, as configured. */
  readonly base: string
  /** Absolute and free of links; equals `base` when there is a `problem`. */
  readonly realBase: string
  /** Why nothing below it can be listed or read; null if it can. */
  readonly problem: string | null
  /** Set if the root is a single file: its name below `base` and its real path. */
  readonly file: { readonly name: string; readonly realPath: string } | null
  /** True if the layout includes a path (relative, `/` between names), whatever kind of file it is. */
  selects(path: string): boolean
  /** True if notes may be below this relative folder. */
  mayEnter(folder: string): boolean
}
