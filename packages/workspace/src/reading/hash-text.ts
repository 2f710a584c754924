import { hash } from 'node:crypto'

/** The hash that `expected` is compared with: SHA-256 of a whole note's text as the reader returns it, in hexadecimal. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex')
}
