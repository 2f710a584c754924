/** The last part of a path without the ending of its file type. */
export function baseNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/\.[a-z][a-z0-9]*$/i, '')
}
