import { readFileSync } from 'node:fs'
import loadWabt from 'wabt'

/** Assembles the module `src/scan/scan-kernel-binary.ts` from the text beside this file. */
export async function assembledModule(): Promise<string> {
  const wabt = await loadWabt()
  const path = new URL('scan-kernel.wat', import.meta.url)
  const parsed = wabt.parseWat('scan-kernel.wat', readFileSync(path, 'utf8'), { simd: true })
  try {
    const { buffer } = parsed.toBinary({})
    const base64 = Buffer.from(buffer).toString('base64')
    return `/** kernel/scan-kernel.wat, assembled by \`pnpm build:kernel\`. */\nexport const SCAN_KERNEL: string =\n  '${base64}'\n`
  } finally {
    parsed.destroy()
  }
}
