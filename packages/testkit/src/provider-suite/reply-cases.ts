import { sampleVector } from '../protocol-servers/wire/sample-vector.ts'
import type { Delivery } from '../protocol-servers/wire/deliver.ts'
import { noAnswerCase } from '../service-suite/call-cases.ts'
import { assertRejects } from '../service-suite/call-checks.ts'
import { embed } from './provider-checks.ts'
import type { HttpSession } from './http-session.ts'
import type { EmbeddingWire } from '../protocol-servers/embedding-wire.ts'
import type { WireReply } from '../protocol-servers/wire/exchange.ts'
import { recordOf } from '../protocol-servers/wire/read-fields.ts'
import type { ServiceCase } from '../service-suite/service-target.ts'

type HttpCase = ServiceCase<HttpSession>
type Vectors = readonly (readonly number[])[]

const DELIVERIES: readonly Delivery[] = ['whole', 'gzip', 'chunked', 'slow']

const plainOrder: HttpCase = {
  id: 'E3.order',
  title: 'each input gets its own vector, however the answer travels',
  async run(session) {
    const provider = session.create()
    for (const delivery of DELIVERIES) {
      session.assertAligned(await session.behaving({ delivery }, () => embed(provider)))
    }
  },
}

/** Positions that do not identify the vectors. */
const UNCLEAR_POSITIONS: readonly (readonly unknown[])[] = [
  [0, 0, 0],
  [1, 1, 1],
  [0, undefined, 2],
  [undefined, undefined, 2],
  [null, 1, 2],
  [0, 1, 3],
  [-1, 0, 1],
  ['0', '1', '2'],
  [0, 1.5, 2],
]

/** The answer with these positions in its entries. */
const withPositions =
  (positions: readonly unknown[]) =>
  (reply: WireReply): WireReply => {
    const body = recordOf(reply.body)
    const data: unknown = body?.['data']
    if (!Array.isArray(data)) return reply
    const entries = data.map((entry, at) => ({ ...recordOf(entry), index: positions[at] }))
    return { ...reply, body: JSON.stringify({ ...body, data: entries }) }
  }

/** For services whose entries name their input. */
const indexedCases: readonly HttpCase[] = [
  {
    id: 'E3.shuffled',
    title: 'a shuffled answer is put in input order (B51)',
    async run(session) {
      session.assertAligned(await session.behaving({ shape: { order: [2, 0, 1] } }, () => embed(session.create())))
    },
  },
  {
    id: 'E3.unindexed',
    title: 'an answer without positions is taken in the order it has',
    async run(session) {
      session.assertAligned(await session.behaving({ shape: { hasIndexes: false } }, () => embed(session.create())))
    },
  },
  {
    id: 'E3.doubled',
    title: 'an answer that names one position twice is refused, not guessed at',
    async run(session) {
      const behaviour = { shape: { order: [0, 0, 2] } }
      await session.behaving(behaviour, () => assertRejects(embed(session.create()), 'bad-response', 'position 0 twice'))
    },
  },
  {
    id: 'E3.unclear',
    title: 'positions that are equal, missing in part, out of range or no numbers are refused, not guessed at (P50)',
    async run(session) {
      for (const positions of UNCLEAR_POSITIONS) {
        const behaviour = { bend: withPositions(positions) }
        const what = JSON.stringify(positions)
        await session.behaving(behaviour, () => assertRejects(embed(session.create()), 'bad-response', what))
      }
    },
  },
]

/** Changes the last vector, the only one where a service takes one input. */
const replaced = (vectors: Vectors, change: (vector: readonly number[]) => unknown): readonly unknown[] =>
  vectors.map((vector, position) => (position === vectors.length - 1 ? change(vector) : vector))

/** Answers that are well-formed and wrong. */
const WRONG_VECTORS: Readonly<Record<string, (vectors: Vectors) => readonly unknown[]>> = {
  short: (vectors) => vectors.slice(0, -1),
  long: (vectors) => [...vectors, sampleVector('one more', vectors[0]?.length ?? 0)],
  none: () => [],
  fused: (vectors) => vectors.slice(0, 1),
  ragged: (vectors) => replaced(vectors, (vector) => vector.slice(1)),
  gap: (vectors) => replaced(vectors, () => null),
  empty: (vectors) => vectors.map(() => []),
  'null-number': (vectors) => replaced(vectors, (vector) => [null, ...vector.slice(1)]),
  'text-number': (vectors) => replaced(vectors, (vector) => vector.map(String)),
  infinite: (vectors) => replaced(vectors, (vector) => ['\u0000infinite', ...vector.slice(1)]),
  zeros: (vectors) => replaced(vectors, (vector) => vector.map(() => 0)),
  words: (vectors) => replaced(vectors, () => 'not numbers at all'),
}

/** Faults that need several vectors, or that a service with one vector per answer cannot express. */
const AMONG_SEVERAL: readonly string[] = ['long', 'fused', 'ragged']

const wrongVectorCases = ({ takesOneInput = false }: EmbeddingWire): readonly HttpCase[] =>
  Object.entries(WRONG_VECTORS)
    .filter(([name]) => !(takesOneInput && AMONG_SEVERAL.includes(name)))
    .map(([name, vectors]) => ({
      id: `E4.${name}`,
      title: `an answer with vectors that are ${name} is a bad-response`,
      async run(session) {
        // 1e999 is JSON for infinity; JavaScript serialises no number that way.
        const bend = (reply: { status: number; body: unknown }) => ({
          ...reply,
          body: JSON.stringify(reply.body).replace('"\\u0000infinite"', '1e999'),
        })
        const behaviour = name === 'infinite' ? { vectors, bend } : { vectors }
        await session.behaving(behaviour, () => assertRejects(embed(session.create()), 'bad-response', name))
      },
    }))

const lengthCases: readonly HttpCase[] = [
  {
    id: 'E4.learnt',
    title: 'a length that changes between answers is a bad-response',
    async run(session) {
      const provider = session.create()
      await embed(provider)
      const vectors = (given: Vectors) => given.map((vector) => vector.slice(0, -1))
      await session.behaving({ vectors }, () => assertRejects(embed(provider), 'bad-response', 'one number less than before'))
    },
  },
  {
    id: 'E4.requested',
    title: 'a length that was not asked for is a bad-response (B57)',
    async run(session) {
      const set = session.target.variations?.dimensions ?? {}
      const vectors = (given: Vectors) => given.map((vector) => [...vector, 0.5])
      const provider = session.create(set)
      if (provider.space.requestedDimensions === null) await embed(provider)
      await session.behaving({ vectors }, () => assertRejects(embed(provider), 'bad-response', 'one number more'))
    },
  },
]

export const replyCases = (wire: EmbeddingWire): readonly HttpCase[] => [
  plainOrder,
  ...(wire.hasIndexes ? indexedCases : []),
  ...wrongVectorCases(wire),
  ...lengthCases,
  noAnswerCase('E'),
]
