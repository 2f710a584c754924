export const NOTES_ADDRESS = 'mnemark://notes/'

/** The address of a note as a resource of MCP. */
export function noteAddress(path: string): string {
  return NOTES_ADDRESS + path.split('/').map(encodeURIComponent).join('/')
}
