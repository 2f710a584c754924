import type { Degradation, Lease, MissingInput, ProviderError } from '@mnemark/spec'
import type { ChainLink } from '../../embed/chain/chain.ts'
import { usdFor } from '../../embed/price.ts'
import type { BatchReport } from '../../embed/batch/index.ts'
import { isOfSpace, needsCare } from '../../embed/batch/job-record.ts'
import { nameOf } from '../../embed/chain/link-name.ts'
import type { FillContext, FillOptions } from './fill-options.ts'
import { missingInputs, readInputs } from './missing-inputs.ts'
import type { TokenBudget } from '../ledger/token-budget.ts'
import { withSnapshot } from '../with-snapshot.ts'

export interface BatchFill {
  readonly report: BatchReport
  readonly usd: number | undefined
  readonly degraded: readonly Degradation[]
  /** Why texts in jobs cannot be collected: no key, no quota. Requests may still work: they may use another key. */
  readonly stoppedBy: ProviderError | undefined
  /** Problems that were dealt with. */
  readonly notes: readonly string[]
  /** Whether the input is to be sent by a request now. */
  readonly isForRequests: (hash: string) => boolean
  /** Most inputs to send by requests; undefined = all missing ones. */
  readonly requests: number | undefined
}

/** Whether this space has jobs, or leftovers of them, at the service. */
export async function hasJobs({ store }: Pick<FillContext, 'store'>, { fingerprint }: ChainLink): Promise<boolean> {
  return (await store.jobs.list()).some((job) => needsCare(job) && isOfSpace(job, fingerprint))
}

type Run = { readonly lease: Lease; readonly budget: TokenBudget; readonly options: FillOptions }

/** Report of a search: only syncs handle jobs, and a search never waits for a service. */
const UNTOUCHED: BatchReport = {
  filled: 0,
  tokens: 0,
  submitted: { jobs: 0, inputs: 0 },
  waiting: { jobs: 0, inputs: 0 },
  unknown: 0,
  rest: new Set(),
  isOverBudget: false,
  notes: [],
}

/**
 * Carries on the jobs of a space and, where requested, makes new ones of missing inputs. Undefined where the provider
 * runs none, or there is nothing to do. A few texts that someone waits for make no job.
 */
export async function fillByBatch(context: FillContext, link: ChainLink, run: Run): Promise<BatchFill | undefined> {
  const { options } = run
  const isWanted = context.settings.batch !== undefined
  if (link.provider.batch === undefined || (!isWanted && !(await hasJobs(context, link)))) return undefined
  const isSubmitting = isWanted && options.isHasty !== true
  const report = options.limit === undefined ? await runJobs(context, link, { ...run, isSubmitting }) : UNTOUCHED
  const hasService = report.off === undefined && report.stoppedBy === undefined
  const isLeftToJobs = isWanted && hasService && (isSubmitting || (await isMuch(context, link, options)))
  return {
    report,
    usd: priceOf(link, report.tokens),
    degraded: degradedOf(link, report),
    stoppedBy: report.waiting.jobs > 0 ? report.stoppedBy : undefined,
    notes: notesOf(link, report),
    isForRequests: (hash) => !isLeftToJobs || report.rest.has(hash),
    requests: isLeftToJobs ? report.rest.size : undefined,
  }
}

async function runJobs(
  { settings, store, now, sleep, mayEmbed }: FillContext,
  { provider, fingerprint }: ChainLink,
  { lease, budget, options, isSubmitting }: Run & { readonly isSubmitting: boolean },
): Promise<BatchReport> {
  const { signal, retryFailed, isStopping, onProgress } = options
  const { runBatches } = await import('../../embed/batch/index.ts')
  return runBatches({
    provider,
    store,
    lease,
    now,
    sleep,
    signal,
    isStopping,
    isSubmitting,
    settings: { ...settings.batch, ...(isSubmitting ? {} : { wait: false }) },
    source: {
      missing: () => missingInputs(store, fingerprint, { signal, retryFailed, mayEmbed }),
      read: (inputs: readonly MissingInput[]) => readInputs(store, inputs),
    },
    admits: (tokens) => budget.allows(tokens),
    onSubmitted: (tokens) => budget.record(lease, tokens),
    onProgress: ({ done, total }) => onProgress?.({ phase: 'batch', done, total }),
  })
}

/** Most missing inputs that go by requests where no limit is given; more are left to the jobs of the next sync. */
const HASTY_LIMIT = 64

async function isMuch({ store }: FillContext, { fingerprint }: ChainLink, options: FillOptions): Promise<boolean> {
  const { limit = HASTY_LIMIT } = options
  return withSnapshot(store, async (snapshot) => (await snapshot.missingInputs(fingerprint, { limit: limit + 1 })).length > limit)
}

function priceOf({ provider }: ChainLink, tokens: number): number | undefined {
  const factor = provider.batch?.priceFactor
  return factor === undefined ? undefined : usdFor(provider, tokens, factor)
}

function degradedOf({ provider }: ChainLink, { waiting, unknown, stoppedBy, postponedBy }: BatchReport): readonly Degradation[] {
  const name = nameOf(provider)
  const degraded: Degradation[] = []
  if (waiting.jobs > 0) {
    const message = `${waiting.inputs} texts are in ${plural(waiting.jobs, 'batch job')} at ${name} and found by words meanwhile; the next sync collects what is done.`
    degraded.push({ code: 'space-incomplete', message })
  }
  if (unknown > 0) {
    const message = `${plural(unknown, 'batch job')} at ${name} may or may not have arrived. Nothing is sent again until that is known; \`batch list\` shows them.`
    degraded.push({ code: 'space-incomplete', message })
  }
  if (postponedBy !== undefined) {
    const message = `${name} takes no more batch jobs now: ${postponedBy.message} The next sync makes those that are left.`
    degraded.push({ code: 'space-incomplete', message })
  }
  if (stoppedBy !== undefined && waiting.jobs > 0)
    degraded.push({ code: 'provider-unavailable', message: aboutJobs(name, stoppedBy) })
  return degraded
}

function notesOf({ provider }: ChainLink, { off, notes, stoppedBy, waiting }: BatchReport): readonly string[] {
  const name = nameOf(provider)
  const said = [...notes]
  if (off !== undefined)
    said.push(`${name} gets no more batch jobs in this run, and what is missing goes by requests: ${off.message}`)
  // The leftovers of a job hold no text.
  if (stoppedBy !== undefined && waiting.jobs === 0) said.push(aboutJobs(name, stoppedBy))
  return said
}

const aboutJobs = (name: string, error: ProviderError): string => `${name} cannot be asked about its batch jobs: ${error.message}`

const plural = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`
