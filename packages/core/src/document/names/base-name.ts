/** The last part of a path without its file extension. */
export function baseNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/\.[a-z][a-z0-9]*$/i, '')
}
