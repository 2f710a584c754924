import { isAbsolute, relative, sep } from 'node:path'

/**
 * A path that a program started in `currentFolder` can open: relative inside it, else absolute. A relative path that begins with
 * a dash gets `./` in front, so that it is not read as an option.
 */
export function fromHere(file: string, currentFolder: string): string {
  const path = relative(currentFolder, file)
  if (path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return file
  return path.startsWith('-') ? `.${sep}${path}` : path
}
