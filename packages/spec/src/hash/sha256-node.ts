import { hash } from 'node:crypto'

/** SHA-256 of a text in UTF-8 or of bytes, 64 hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}
