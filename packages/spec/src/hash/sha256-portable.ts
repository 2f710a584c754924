import { sha256 as digest } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The same as for Node, for systems without `node:crypto` or with an asynchronous one only: browsers, the edge. */
export function sha256(data: string | Uint8Array): string {
  return bytesToHex(digest(typeof data === 'string' ? utf8ToBytes(data) : data))
}
