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

/** Small and pure, and needed by most commands: they come along. Everything else is loaded from where it is installed. */
const INLINED = new Set(['chokidar', 'json5', 'picomatch', 'readdirp', 'stemmer', 'valibot'])

const isOurs = (path) => !path.includes(`${sep}node_modules${sep}`)

/** Other people's packages stay where they are, by their whole address: a bundle has no node_modules of its own. */
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

/** A file as it is now: what changes when somebody edits it. */
function stampOf(path) {
  const { mtimeMs, size } = statSync(join(root, path))
  return [path, mtimeMs, size]
}

/** A process that runs from an earlier bundle has files of it still to load: those stay for a day. */
function removeOldFiles(current) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!current.has(name) && Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path)
  }
}

async function main() {
  mkdirSync(folder, { recursive: true })
  // Without its list the bundle counts as out of date, so nobody starts from half of it.
  const list = join(folder, 'inputs.json')
  rmSync(list, { force: true })
  const startedMs = Date.now()
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    outdir: folder,
    // By its name a module: of .js Node asks the nearest package.json, and then the text.
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
  // Nobody knows whether it was read before or after it changed, and its stamp would say that it was after.
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
