// Puts the command line and the packages under it into a few files beside the checkout's modules: a third of a cold search's time
// went into finding and loading some two hundred small ones. Plain JavaScript, because an install may run it on an old Node.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'node_modules/.cache/mnemark')
const DAY_MS = 86_400_000
const entry = join(root, 'apps/mnemark/src/cli.ts')

/** Small, pure and needed by most commands, so they are bundled. Everything else is loaded from where it is installed. */
const INLINED = new Set(['chokidar', 'json5', 'picomatch', 'readdirp', 'stemmer', 'valibot'])

const isOurs = (path) => !path.includes(`${sep}node_modules${sep}`)

/** Other packages are imported by absolute path: a bundle has no node_modules of its own. */
const otherPackages = {
  name: 'other-packages',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === 'resolving' || path.startsWith('node:')) return
      if (path.startsWith('@mnemark/') || path.startsWith('#') || INLINED.has(path) || !isOurs(importer)) return
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'resolving' })
      if (found.errors.length > 0 || found.external) return { path, external: true }
      return { path: pathToFileURL(found.path).href, external: true }
    })
    // Files that are looked up beside a source are still found there.
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8')
      if (!isOurs(path) || !contents.includes('import.meta.')) return
      const url = JSON.stringify(pathToFileURL(path).href)
      return { contents: contents.replaceAll('import.meta.url', url), loader: 'ts' }
    })
  },
}

/** A stamp of a file's state: it changes with every edit. */
function stampOf(path) {
  const { mtimeMs, size } = statSync(join(root, path))
  return [path, mtimeMs, size]
}

/** Files of earlier bundles stay for a day: a running process may still load them. */
function removeOldFiles(current) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!current.has(name) && Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path)
  }
}

async function main() {
  mkdirSync(folder, { recursive: true })
  // Without its list the bundle counts as out of date, so a half-written one is never used.
  const list = join(folder, 'inputs.json')
  rmSync(list, { force: true })
  const startedMs = Date.now()
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    outdir: folder,
    // The name makes it a module: for .js Node reads the nearest package.json, and then the text.
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    conditions: ['mnemark-source'],
    metafile: true,
    logLevel: 'warning',
    plugins: [otherPackages],
  })
  removeOldFiles(new Set(Object.keys(metafile.outputs).map((path) => basename(path))))
  const sources = Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules'))
  const inputs = [...sources, 'pnpm-lock.yaml'].map(stampOf)
  const changed = inputs.find(([, mtimeMs]) => mtimeMs >= startedMs)
  // It may have been read before or after the change, while its stamp would always mean after.
  if (changed !== undefined) throw new Error(`${changed[0]} changed meanwhile`)
  writeFileSync(`${list}.new`, JSON.stringify({ root, inputs }))
  renameSync(`${list}.new`, list)
  console.log(`bundle: ${sources.length} sources in ${relative(root, folder)}`)
}

try {
  await main()
} catch (error) {
  // The sources run as well, only slower: an install must not fail over this.
  console.error(`bundle: none made, ./mnemark will run from its sources: ${error.message}`)
}
