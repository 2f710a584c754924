import type { Console } from '../terminal/console.ts'
import type { UntrustedConfig } from './load-settings.ts'
import { describeWishes } from './describe-untrusted.ts'
import { keepTrust, realFolder, trustRecordOf } from './trust/trust-list.ts'
import { hashOfKeys, markKeys } from './trust/trust-record.ts'
import type { TrustedKey } from './trust/trusted-keys.ts'

/** Asks the person at the terminal once, shows what the file wants to do, and records a yes or a no. Returns true for a yes. */
export async function askForTrust(untrusted: UntrustedConfig, workspace: string, console: Console): Promise<boolean> {
  const wishes = describeWishes(untrusted.keys).map((wish) => `  - ${wish}`)
  const answer = await console.ask(`${untrusted.file} wants to\n${wishes.join('\n')}\nTrust it on this machine? [y/N] `)
  if (answer === null) return false
  const isTrusted = /^y(?:es)?$/i.test(answer)
  if (isTrusted) keepAgreement([...untrusted.agreed, ...untrusted.keys], workspace)
  else keepRefusal(untrusted.keys, workspace)
  return isTrusted
}

/** Trusts exactly these keys of the workspace's file from now on. */
export function keepAgreement(keys: readonly TrustedKey[], workspace: string): void {
  keepTrust({ workspace: realFolder(workspace), ...markKeys(keys, workspace), trustedAt: new Date().toISOString() })
}

/** Records a refusal; keys that were trusted before stay trusted. */
function keepRefusal(keys: readonly TrustedKey[], workspace: string): void {
  const { keys: agreed = {}, files = {}, trustedAt = null } = trustRecordOf(workspace) ?? {}
  keepTrust({ workspace: realFolder(workspace), keys: agreed, files, trustedAt, refused: hashOfKeys(keys) })
}
