/** One finding of `doctor`. Several may have the same name. */
export interface Check {
  readonly name:
    | 'runtime'
    | 'secrets'
    | 'encodings'
    | 'native'
    | 'configuration'
    | 'keys'
    | 'provider'
    | 'generator'
    | 'reranker'
    | 'proxy'
    | 'workspace'
    | 'notes'
    | 'place'
    | 'index'
    | 'entities'
    | 'qmd'
    | 'sessions'
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  /** The next step. */
  readonly next?: string
}
