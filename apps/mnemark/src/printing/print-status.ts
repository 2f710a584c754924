import type { BackendStatus } from '@mnemark/spec'
import type { OutsideLayout, WorkspaceDescription } from '@mnemark/workspace'
import type { Settings } from '../config/load-settings.ts'
import type { ScanStatus } from '../memory/repair/vector-scan.ts'
import type { AskedModel } from '../providers/models/ask-models.ts'
import type { ModelStatus, RerankerStatus, TokensToday } from '../providers/models/describe-models.ts'
import { searchCostText } from '../providers/models/search-cost.ts'
import type { AskedProvider } from '../providers/use/ask-providers.ts'
import { outsideText } from '../memory/index/outside-layout.ts'
import type { Console } from '../terminal/console.ts'
import { isolate, printable, printableName } from '../terminal/isolate.ts'

/** The document of `status --json`. The first keys are about the index, the later ones say where things are. */
export interface StatusDocument extends Pick<BackendStatus, 'documents' | 'chunks' | 'spaces' | 'degraded'> {
  readonly dirty: boolean
  readonly backend: string
  /** Whose vectors answer: the first link of the chain whose space is there and which has not failed. */
  readonly provider: string | null
  /** Links of the chain in order, as far as is known from earlier calls. */
  readonly chain: readonly LinkStatus[]
  /** With --deep: the result of asking each link for one vector. */
  readonly asked?: readonly AskedProvider[]
  /** The chat models that may be asked, first one first. */
  readonly generators: readonly ModelStatus[]
  /** Null where none may be asked. */
  readonly reranker: RerankerStatus | null
  /** With --deep: the result of asking each of them for a few tokens. */
  readonly askedModels?: readonly AskedModel[]
  /** Tokens that today's caps have let through; empty without caps. */
  readonly tokensToday: readonly TokensToday[]
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
  /** Inputs that wait for a vector, and those that failed; batch jobs at services, and the inputs in them. */
  readonly queue: {
    readonly missing: number
    readonly failed: number
    readonly jobs: { readonly open: number; readonly inputs: number; readonly unknown: number }
  }
  readonly details: {
    /** How vectors are searched, space by space, and what of them is damaged; null where another backend answers. */
    readonly scan: ScanStatus | null
  }
  /** With the qmd backend: its program, home, collections and models, and who answers in its place. */
  readonly qmd?: BackendStatus['details']
  readonly agent: string
  readonly requestedProvider: string
  /** How search works, in words. */
  readonly search: string
  /** The key that switches memory off, else null. */
  readonly switchedOffBy: string | null
  /** Null where nothing has been indexed. */
  readonly index: string | null
  readonly workspace: WorkspaceDescription & {
    readonly from: Settings['workspaceFrom']
    /** Notes in the folder that an agent's layout leaves out, and the setting that includes them. */
    readonly outsideLayout: OutsideLayout & { readonly setting: string }
  }
  readonly config: { readonly file: string | null; readonly warnings: readonly string[]; readonly notHonoured: readonly string[] }
}

/** One link of the chain. */
export interface LinkStatus {
  readonly provider: string
  readonly model: string
  readonly space: string
  readonly isHealthy: boolean
  /** Why its last call failed. */
  readonly cause?: string
  /** Unix time in milliseconds. */
  readonly failingSinceMs?: number
}

const FROM = {
  option: 'named by --workspace',
  configuration: 'named by the configuration',
  found: 'the nearest folder with notes',
  current: 'the current folder',
} as const
const NAMED_FILES = 10

/** Prints the status in words, one subject a line. */
export function printStatus(console: Console, status: StatusDocument): void {
  const rows: (readonly [string, string])[] = [
    ['workspace', `${status.workspace.root.configured} (${FROM[status.workspace.from]}; ${layoutText(status)})`],
    ...status.workspace.extraPaths.map(({ configured, prefix }) => ['', `${configured} as ${prefix}`] as const),
    ['search', status.search],
    ...vectorRows(status),
    ...scanRows(status),
    ...modelRows(status),
    ['batch jobs', jobsText(status)],
    ['index', status.index ?? 'none yet'],
    ['documents', `${status.documents}, in ${status.chunks} chunks`],
    ['state', stateText(status)],
    ['left out', leftOutText(status)],
    ['', outsideText(status.workspace.outsideLayout)],
    ['config', status.config.file ?? 'none, defaults'],
    ...status.config.notHonoured.map((key) => ['', `${key} has no effect in this version`] as const),
  ]
  for (const [name, text] of rows) if (text !== '') console.print(`${name.padEnd(11)}${isolate(printable(text))}`)
  printSkipped(console, status)
  const remarks = [...status.degraded.map(({ message }) => message), ...status.workspace.warnings, ...status.config.warnings]
  for (const remark of remarks) console.note(`mnemark: ${remark}`)
}

/** A row for each space: its coverage, its provider, and the provider's state. */
function vectorRows({ spaces, chain, asked = [] }: StatusDocument): (readonly [string, string])[] {
  const known = chain.filter(({ space }) => !spaces.some(({ fingerprint }) => fingerprint === space))
  const rows = [
    ...spaces.map(({ fingerprint, space, filled, missing, failed }) => {
      const link = chain.find((each) => each.space === fingerprint)
      const refused = failed > 0 ? `, ${failed} refused` : ''
      const state = link === undefined ? 'kept, nobody is set to fill it' : healthText(link)
      return `${space.provider} (${space.model}): ${filled} of ${filled + missing + failed} texts${refused}; ${state}`
    }),
    ...known.map((link) => `${link.provider} (${link.model}): none yet; ${healthText(link)}`),
    ...asked.map(
      ({ provider, model, host, ms, dimensions, problem }) =>
        `asked: ${problem?.message ?? `${provider} (${model}) at ${host} answers in ${ms} ms, ${dimensions ?? 'no'} dimensions`}`,
    ),
  ]
  return rows.map((text, index) => [index === 0 ? 'vectors' : '', text])
}

/** Chat models, the reranker with what a search costs, and tokens of today. */
function modelRows({ generators, reranker, askedModels = [], tokensToday }: StatusDocument): (readonly [string, string])[] {
  const nameOf = ({ provider, model, host }: ModelStatus): string => `${provider} (${model}) at ${host}`
  const asked = askedModels.map(
    (each) => ['', `asked: ${each.problem?.message ?? `${nameOf(each)} answers in ${each.ms} ms`}`] as const,
  )
  const caps = tokensToday.map(({ kind, used, limit }) => `${used} of ${limit} for ${KINDS[kind]}`)
  return [
    ...generators.map((each, index) => [index === 0 ? 'generators' : '', nameOf(each)] as const),
    ...(reranker === null ? [] : [['reranker', `${nameOf(reranker)}; ${searchCostText(reranker.perSearch)}`] as const]),
    ...asked,
    ['tokens', caps.length === 0 ? '' : `today ${caps.join(', ')}`],
  ]
}

const KINDS = { embeddings: 'embeddings', generate: 'chat models', rerank: 'reranking' } as const

/** How each space is searched, and any damage. */
function scanRows({ details: { scan }, spaces }: StatusDocument): (readonly [string, string])[] {
  if (scan === null) return []
  const rows = scan.spaces.map((each) => {
    const model = spaces.find(({ fingerprint }) => fingerprint === each.fingerprint)?.space.model ?? each.fingerprint
    const codes = `${each.codes} codes, ${each.inMemory} in memory${scan.kernel === null ? '' : `, ${scan.kernel}`}`
    const how = each.strategy === 'rows' ? 'row by row' : codes
    const damage = [
      ...(each.damagedVectors > 0 ? [`; ${each.damagedVectors} damaged and left out`] : []),
      ...(each.areBlocksDamaged ? ['; its blocks are damaged'] : []),
    ]
    return `${model}: ${each.vectors} vectors, ${how}${damage.join('')}`
  })
  const { path, version, problem } = scan.extension
  const sql = problem ?? (path === null ? '' : `sqlite-vec ${version} for SQL, ${path}`)
  const named = rows.map((text, index) => [index === 0 ? 'scan' : '', text] as const)
  return rows.length === 0 && problem === undefined ? [] : [...named, ['', sql]]
}

function healthText({ isHealthy, cause, failingSinceMs }: LinkStatus): string {
  if (isHealthy) return 'no failure known'
  return `failing since ${new Date(failingSinceMs ?? 0).toISOString()}: ${cause ?? 'no reason known'}`
}

function jobsText({ queue: { jobs } }: StatusDocument): string {
  if (jobs.open === 0) return ''
  const unknown = jobs.unknown === 0 ? '' : `, ${jobs.unknown} of which may or may not have arrived`
  return `${jobs.open} at services with ${jobs.inputs} texts${unknown}; mnemark batch list names them`
}

function layoutText({ workspace }: StatusDocument): string {
  if (workspace.kind === 'plain') return 'a plain folder of Markdown'
  return `${workspace.curated ?? 'no MEMORY.md yet'}, memory/ and bank/`
}

function stateText({ dirty, degraded }: StatusDocument): string {
  if (degraded.some(({ code }) => code === 'source-failed')) return 'not known: not everything could be listed'
  return dirty ? 'outdated: files have changed since; the next search or mnemark index takes them in' : 'up to date'
}

function leftOutText({ workspace }: StatusDocument): string {
  const counts = Object.entries(workspace.lastListing?.leftOut ?? {})
  return counts.map(([rule, count]) => `${count} ${rule}`).join(', ')
}

function printSkipped(console: Console, { skipped }: StatusDocument): void {
  if (skipped.length > 0) console.print(`${'skipped'.padEnd(11)}${skipped.length}`)
  for (const { path, reason } of skipped.slice(0, NAMED_FILES)) console.print(`  ${isolate(printableName(path))} (${reason})`)
  if (skipped.length > NAMED_FILES) console.print(`  and ${skipped.length - NAMED_FILES} more; --json names all`)
}
