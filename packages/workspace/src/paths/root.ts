/** A place where notes are looked for: the workspace folder, or one extra path. */
export interface Root {
  /** What to call it in messages. */
  readonly label: string
  /** In front of every path below it: '' for the workspace, `extra/<name>/` otherwise. */
  readonly prefix: string
  /** Absolute, as configured. */
  readonly base: string
  /** Absolute and free of links; equals `base` when there is a `problem`. */
  readonly realBase: string
  /** Why nothing can be listed or read below it. */
  readonly problem: string | null
  /** The root is this single file: its name below `base` and where it really is. */
  readonly file: { readonly name: string; readonly realPath: string } | null
  /** Whether the layout takes in a path (relative, `/` between names), whatever kind of file it is. */
  selects(path: string): boolean
  /** Whether notes may lie below this relative folder. */
  mayEnter(folder: string): boolean
}
