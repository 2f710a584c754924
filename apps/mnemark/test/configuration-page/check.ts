import { knownKeys } from '../../src/config/schema/schema.ts'
import { unclassedKeys } from './unclassed-keys.ts'

// Part of `pnpm check`: a new key without a class would count from any folder that somebody downloads.
const unclassed = unclassedKeys(knownKeys())
if (unclassed.length > 0) {
  console.error(`check:keys: no class for ${unclassed.join(', ')}. Wrap it in classed('finding', …) or classed('trusted', …).`)
  process.exitCode = 1
} else console.log('check:keys: ok')
