import { hash } from 'node:crypto'

/** What `expected` is compared with: the SHA-256 of a whole note's text as the reader gives it, in hexadecimal. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex')
}
