import { sha256 as digest } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** As its twin for Node, where there is no `node:crypto` or only one that must be waited for: browsers, the edge. */
export function sha256(data: string | Uint8Array): string {
  return bytesToHex(digest(typeof data === 'string' ? utf8ToBytes(data) : data))
}
