import { KEY_VARIABLES } from '../../apps/mnemark/src/providers/keys/key-variables.ts'
import type { ProviderDescription } from '../../packages/testkit/src/provider-suite/describe-target.ts'
import type { Adapter } from './find-adapters.ts'
import type { LiveRuns } from './live-runs.ts'
import type { CaseResult } from './run-contracts.ts'

export const FACT_COLUMNS = [
  'provider',
  'key',
  'default model',
  'input types',
  'one request takes',
  'offline jobs',
  'run live',
] as const

/** Providers whose key is not in a variable that the command reads. */
const OTHER_KEYS: Readonly<Record<string, string>> = {
  'ai-sdk': "the model's own",
  bedrock: "AWS's own: `AWS_BEARER_TOKEN_BEDROCK`, `AWS_PROFILE`, `AWS_ACCESS_KEY_ID` and the like, with `AWS_REGION`",
  'openai-compatible': "the server's, if it wants one",
}

/** The cells of one adapter, as Markdown, in the order of `FACT_COLUMNS`. */
export function factsOf(adapter: Adapter, results: readonly CaseResult[], liveRuns: LiveRuns): readonly string[] {
  const providers = results.flatMap(({ adapter: name, provider }) => (name === adapter.name && provider ? [provider] : []))
  const usual = providers.find(({ model }) => model === adapter.defaultModel)
  return [
    ...fileFactsOf(adapter),
    [...new Set(providers.map(inputTypeWords))].join(', or '),
    usual === undefined ? 'depends on the model' : limitWords(usual),
    providers.some(({ hasBatch }) => hasBatch) ? 'yes' : 'no',
    liveRuns[adapter.name] ?? 'never',
  ]
}

/** The first of those cells, which need no run. */
export const fileFactsOf = ({ name, path, keyVariables, defaultModel }: Adapter): readonly string[] => [
  `[${name}](../${path}/README.md)`,
  OTHER_KEYS[name] ?? (keyVariables.length === 0 ? 'none needed' : variablesOf(name, keyVariables).map(code).join(' or ')),
  defaultModel === undefined ? 'to be named' : code(defaultModel),
]

const variablesOf = (name: string, inExample: readonly string[]): readonly string[] => KEY_VARIABLES[name] ?? inExample

const code = (text: string): string => `\`${text}\``

const inputTypeWords = ({ inputTypes }: ProviderDescription): string =>
  inputTypes === 'distinct' ? 'query and document' : 'no difference'

const grouped = (count: number): string => count.toLocaleString('en-US')

function limitWords({ limits }: ProviderDescription): string {
  const { maxInputs, maxInputTokens, maxRequestTokens, maxRequestBytes } = limits
  return [
    `${grouped(maxInputs)} ${maxInputs === 1 ? 'input' : 'inputs'}`,
    ...(maxInputTokens === undefined ? [] : [`${grouped(maxInputTokens)} tokens each`]),
    ...(maxRequestTokens === undefined ? [] : [`${grouped(maxRequestTokens)} tokens in all`]),
    ...(maxRequestBytes === undefined ? [] : [`${grouped(maxRequestBytes)} bytes`]),
  ].join(', ')
}
