export const NOTES_ADDRESS = 'mnemark://notes/'

/** The URI of a note as an MCP resource. */
export function noteAddress(path: string): string {
  return NOTES_ADDRESS + path.split('/').map(encodeURIComponent).join('/')
}
