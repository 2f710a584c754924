/** Empties `dist` of every package: `tsc` leaves in it what older sources became, and that would be packed and cached. */
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPackages } from './workspace-packages.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
for (const { directory } of readPackages(root)) rmSync(join(directory, 'dist'), { recursive: true, force: true })
