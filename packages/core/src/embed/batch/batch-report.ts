import type { ProviderError } from '@mnemark/spec'

export interface BatchProgress {
  /** Inputs whose vector is there, or done at the service. */
  readonly done: number
  /** Inputs of the jobs of this run. */
  readonly total: number
}

export interface BatchReport {
  /** Vectors filled by the jobs of this run, and by jobs of earlier runs. */
  readonly filled: number
  /** Tokens of the submitted texts, as the provider counts, else estimated. */
  readonly tokens: number
  readonly submitted: { readonly jobs: number; readonly inputs: number }
  /** Jobs that are still at the service, and their inputs: the next run collects them. */
  readonly waiting: { readonly jobs: number; readonly inputs: number }
  /** Waiting jobs whose submission may or may not have arrived. */
  readonly unknown: number
  /** Inputs that no job takes or filled, to be sent by requests. */
  readonly rest: ReadonlySet<string>
  /** True where `admits` ended the new jobs. */
  readonly isOverBudget: boolean
  /** Why no more jobs are made in this run: two failed in a row, or the service takes none. Everything missing goes by requests then. */
  readonly off?: ProviderError
  /** Trouble with the service that ended the run: no key, no quota. The jobs stay, and no new ones are made. */
  readonly stoppedBy?: ProviderError
  /** Why no more jobs were made: the service takes no more at a time, and the time to wait is over. The next run makes them. */
  readonly postponedBy?: ProviderError
  /** How long the service asks to be left alone about its jobs, where it asks for longer than a run waits. */
  readonly retryAfterMs?: number
  /** Problems that were dealt with on the way. */
  readonly notes: readonly string[]
}
