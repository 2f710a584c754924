/** Every case of the provider contract, whichever services have it. */
import {
  type EmbeddingProviderTarget,
  embeddingProviderCases,
  type HttpProviderTarget,
  openAIWire,
} from '../../packages/testkit/src/index.ts'

/** Creates no provider: the cases are only listed. */
function create(): never {
  throw new Error('the cases of this target are not to be run')
}

const DECLARED = { create, misconfigured: [{}], variations: { model: {}, dimensions: {}, variant: {} } } as const
/** Has positions, a batch API, and every error code. */
const FULL: HttpProviderTarget = { ...DECLARED, transport: 'http', wire: openAIWire, options: [] }

function withoutBatch(target: HttpProviderTarget): HttpProviderTarget {
  const wire = { ...openAIWire }
  Reflect.deleteProperty(wire, 'batch')
  return { ...target, wire }
}

const TARGETS: readonly EmbeddingProviderTarget[] = [
  FULL,
  withoutBatch(FULL),
  { ...DECLARED, transport: 'in-process', inputTypes: 'symmetric', reportsUsage: false },
]

export const byCase = (left: string, right: string): number => left.localeCompare(right, 'en', { numeric: true })

/** The ids, in order. */
export function contractCaseIds(): readonly string[] {
  const ids = TARGETS.flatMap((target) => embeddingProviderCases(target).map(({ id }) => id))
  return [...new Set(ids)].toSorted(byCase)
}
