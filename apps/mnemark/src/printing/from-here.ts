import { isAbsolute, relative, sep } from 'node:path'

/**
 * A file as a program started in `currentFolder` can open it: relative inside of it, else absolute. Never taken for an option: where
 * a relative path begins with a dash, `./` stands in front.
 */
export function fromHere(file: string, currentFolder: string): string {
  const path = relative(currentFolder, file)
  if (path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return file
  return path.startsWith('-') ? `.${sep}${path}` : path
}
