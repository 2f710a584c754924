// Started by ./mnemark: runs the bundle of this checkout if it is up to date, else the sources.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bundle = join(root, 'node_modules/.cache/mnemark')

function isUpToDate() {
  try {
    const list = JSON.parse(readFileSync(join(bundle, 'inputs.json'), 'utf8'))
    return (
      list.root === root &&
      list.inputs.every(([path, mtimeMs, size]) => {
        const found = statSync(root + path)
        return found.mtimeMs === mtimeMs && found.size === size
      })
    )
  } catch {
    return false
  }
}

// Tests look at single modules, which a bundle has none of.
const isFromSources = process.env.MNEMARK_FROM_SOURCES === '1' || !isUpToDate()
await import(isFromSources ? './src/cli.ts' : new URL('../../node_modules/.cache/mnemark/cli.mjs', import.meta.url).href)
