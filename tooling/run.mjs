// `npm start` and `npm test` on a machine that has only Node >= 20 and npm: brings Node 24 and pnpm through npm when they
// are missing, installs from the lockfile, then runs the task. Plain JavaScript, because it must run on an old Node.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PNPM = 'pnpm@11.28.11'
const NODE = 'node@24.21.0'
const TASKS = {
  start: ['pnpm run demo'],
  test: ['pnpm run check', 'pnpm run test:unit', 'pnpm run test:package'],
}

const task = process.argv[2]
if (!Object.hasOwn(TASKS, task)) {
  console.error(`run.mjs: expected one of ${Object.keys(TASKS).join(', ')}, got ${JSON.stringify(task)}`)
  process.exit(2)
}
const major = Number(process.versions.node.split('.')[0])
if (major < 20) {
  console.error(
    `Mnemark needs Node 20 or newer to set itself up; this is ${process.version}. Install a current Node and try again.`,
  )
  process.exit(3)
}

const line = ['pnpm install --frozen-lockfile --prefer-offline --reporter=append-only --loglevel=warn', ...TASKS[task]].join(
  ' && ',
)
const hasPnpm =
  major >= 24 && spawnSync('pnpm --version', { shell: true, encoding: 'utf8' }).stdout?.trim() === PNPM.split('@')[1]
const hasPackages = existsSync(new URL('../node_modules/.modules.yaml', import.meta.url))
console.error(whatIsInstalled())
const command = hasPnpm ? line : `npx --yes --loglevel=error -p ${NODE} -p ${PNPM} -c ${JSON.stringify(line)}`
// CI=true keeps pnpm from asking questions on a pipe.
const { status, error } = spawnSync(command, { shell: true, stdio: 'inherit', env: { ...process.env, CI: 'true' } })
if (error) console.error(`run.mjs: ${error.message}`)
process.exit(status ?? 1)

/** Nothing is seen of an install until it is done. */
function whatIsInstalled() {
  const tools = hasPnpm ? '' : `${NODE.replace('@', ' ')} and ${PNPM.replace('@', ' ')} (into npm's cache), then `
  return hasPackages
    ? `Mnemark: checking ${tools}the packages of this project; a few seconds.`
    : `Mnemark: installing ${tools}the packages of this project (into node_modules, about 1.4 GB); half a minute on a fast line.`
}
