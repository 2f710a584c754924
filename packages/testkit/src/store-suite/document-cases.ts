import assert from 'node:assert/strict'
import type { ChangeSet, MemoryStore, NewChunk, StoredChunk, StoredDocument } from '@mnemark/spec'
import { fingerprint } from '@mnemark/spec'
import { sampleChunk, sampleDocument, samplePut, sampleSegment, space } from './sample-data.ts'
import type { StoreCase, StoreContext } from './store-context.ts'
import { change, collect, isTypeError, read, withLease } from './store-context.ts'

function chunksOf(store: MemoryStore, document: StoredDocument): Promise<readonly StoredChunk[]> {
  return read(store, (snapshot) => snapshot.chunksOf(document))
}

async function assertUnchanged(store: MemoryStore, paths: readonly string[]): Promise<void> {
  const documents = await read(store, (snapshot) => collect(snapshot.documents()))
  assert.deepEqual(documents.map((document) => document.path).sort(), paths)
}

/** A change set that must fail, and leave the one existing document. */
async function assertAllOrNothing(
  context: StoreContext,
  faulty: Partial<ChangeSet>,
  isExpected: (error: unknown) => boolean,
): Promise<void> {
  const store = await context.create()
  const kept = samplePut('kept.md', 2)
  const segments = context.has('keywords') ? { segments: () => [sampleSegment('kept', ['a'])] } : {}
  await change(store, { put: [kept], ...segments })
  const before = await chunksOf(store, kept.document)
  await assert.rejects(() => change(store, faulty), isExpected)
  await assertUnchanged(store, ['kept.md'])
  assert.deepEqual(await chunksOf(store, kept.document), before)
  assert.deepEqual(
    (await read(store, (snapshot) => snapshot.segments())).map(({ id }) => id),
    context.has('keywords') ? ['kept'] : [],
  )
  assert.deepEqual(await read(store, (snapshot) => snapshot.counts()), { documents: 1, chunks: 2 })
}

const FULL_DOCUMENT: StoredDocument = {
  source: 'memory',
  path: 'memory/2026-03-14.md',
  part: 0,
  size: 4096,
  modifiedAtMs: 1_773_480_413_123.5,
  inode: '18446744073709551615',
  version: 'v7',
  contentHash: 'c0ffee',
  recipe: 'recipe',
  title: 'Pi day',
  from: '2026-03-14',
  to: '2026-03-14',
  dateReason: 'name',
  isEvergreen: false,
  properties: { status: 'open', __proto__x: 'y' },
}

const FULL_CHUNK: NewChunk = {
  document: { source: 'memory', path: 'memory/2026-03-14.md', part: 0 },
  ordinal: 0,
  startLine: 3,
  endLine: 9,
  text: 'met Ann\nnoted the plan',
  headingTrail: ['Log', 'Morning'],
  attributes: {
    kind: 'experience',
    entities: ['Ann', 'Ben'],
    tags: ['work'],
    from: '2026-03-14',
    to: '2026-03-15',
    time: '09:26',
    marks: ['derived', 'untrusted'],
    session: 's1',
    speaker: 'user',
    audience: 'private',
    confidence: 0.85,
    factId: 'f1',
    extra: { weight: 0.1, isDone: false, note: 'n' },
  },
  unindexed: [[0, 3]],
  inputs: ['h1', 'h2', 'h1'],
}

export const documentCases: readonly StoreCase[] = [
  {
    id: 'D1',
    title: 'documents and chunks come back as they were put, every field',
    async run(context) {
      const store = await context.create()
      const bare = sampleDocument('bare.md')
      await change(store, {
        put: [
          { document: FULL_DOCUMENT, chunks: [FULL_CHUNK] },
          { document: bare, chunks: [sampleChunk(bare, 0)] },
        ],
      })
      const documents = await read(store, (snapshot) => snapshot.documentsOf([bare, FULL_DOCUMENT, sampleDocument('absent.md')]))
      assert.deepEqual(documents, [bare, FULL_DOCUMENT])
      const [chunk] = await chunksOf(store, FULL_DOCUMENT)
      assert.deepEqual(chunk, { ...FULL_CHUNK, id: chunk?.id })
      const [bareChunk] = await chunksOf(store, bare)
      assert.deepEqual(bareChunk, { ...sampleChunk(bare, 0), id: bareChunk?.id })
    },
  },
  {
    id: 'D2',
    title: 'a change set whose `segments` throws leaves nothing of itself, and the error comes through',
    needs: ['keywords'],
    async run(context) {
      const fault = new Error('segments failed')
      const faulty: Partial<ChangeSet> = {
        put: [samplePut('kept.md', 1), samplePut('new.md', 3)],
        touch: [sampleDocument('kept.md', { size: 9 })],
        segments: () => {
          throw fault
        },
      }
      await assertAllOrNothing(context, faulty, (error) => error === fault)
    },
  },
  {
    id: 'D3',
    title: 'a change set with a value that cannot be kept leaves nothing of itself',
    async run(context) {
      const good = samplePut('good.md', 2)
      const bad = sampleDocument('bad.md')
      const faults: Partial<NewChunk>[] = [
        { startLine: Number.NaN },
        { ordinal: 1.5 },
        { attributes: { confidence: Number.NaN } },
        // The type forbids these; a caller without types can still pass them.
        { attributes: { extra: { count: 1n as unknown as number } } },
        { text: undefined as unknown as string },
      ]
      for (const fault of faults) {
        const put = [good, { document: bad, chunks: [sampleChunk(bad, 0), sampleChunk(bad, 1, fault)] }]
        await assertAllOrNothing(context, { put, remove: [sampleDocument('kept.md')] }, isTypeError)
      }
    },
  },
  {
    id: 'D4',
    title: 'a change set that contradicts itself is refused whole',
    async run(context) {
      const a = samplePut('a.md', 1)
      const chunk = sampleChunk(a.document, 0)
      const faults: ChangeSet['put'][] = [
        [a, samplePut('a.md', 2)],
        [{ document: a.document, chunks: [chunk, chunk] }],
        [{ document: a.document, chunks: [sampleChunk(sampleDocument('b.md'), 0)] }],
      ]
      for (const put of faults) await assertAllOrNothing(context, { put }, isTypeError)
    },
  },
  {
    id: 'D5',
    title: '`segments` that returns a promise is refused: it would leave the transaction',
    needs: ['keywords'],
    async run(context) {
      // The type forbids an async callback; a caller without types can still pass one.
      const segments = (async () => []) as unknown as NonNullable<ChangeSet['segments']>
      await assertAllOrNothing(context, { put: [samplePut('a.md', 1)], segments }, isTypeError)
    },
  },
  {
    id: 'D6',
    title: 'putting a document again with fewer chunks leaves no orphan anywhere',
    async run(context) {
      const store = await context.create()
      const long = samplePut('a.md', 5)
      await change(store, { put: [long] })
      const old = (await chunksOf(store, long.document)).map(({ id }) => id)
      const vector = new Float32Array([1, 0])
      const entries = long.chunks.map(({ inputs }) => ({ hash: inputs[0] ?? '', vector }))
      if (context.has('vectors')) await withLease(store, 'vectors', (lease) => store.putVectors(lease, space, entries))
      await change(store, { put: [samplePut('a.md', 2)] })
      const left = (await chunksOf(store, long.document)).map(({ id }) => id)
      assert.equal(left.length, 2)
      await read(store, async (snapshot) => {
        assert.deepEqual(await snapshot.chunks(old), [])
        assert.deepEqual(await snapshot.counts(), { documents: 1, chunks: 2 })
        assert.equal((await snapshot.filter({})).size, 2)
        const nearest = await snapshot.nearest(fingerprint(space), vector, { limit: 10 })
        assert.deepEqual(
          nearest.map(({ chunkId }) => chunkId),
          context.has('vectors') ? left : [],
        )
        assert.equal((await snapshot.spaces())[0]?.filled, context.has('vectors') ? 2 : undefined)
      })
    },
  },
  {
    id: 'D7',
    title: 'chunk ids ascend and are never used twice, not after a removal, nor after reopening',
    needs: ['keywords'],
    async run(context) {
      const seen: number[] = []
      const putAndNote = async (store: MemoryStore, count: number): Promise<void> => {
        const segments: ChangeSet['segments'] = (ids) => {
          seen.push(...ids.values())
          return []
        }
        await change(store, { put: [samplePut('a.md', count), samplePut('b.md', count)], segments })
      }
      const store = await context.create()
      await putAndNote(store, 3)
      await putAndNote(store, 1)
      await change(store, { remove: [sampleDocument('a.md'), sampleDocument('b.md')] })
      await putAndNote(store, 2)
      await change(store, { remove: [sampleDocument('a.md'), sampleDocument('b.md')] })
      const reopened = await context.reopen(store)
      await putAndNote(reopened, 2)
      assert.equal(seen.length, 16)
      assert.deepEqual(
        seen,
        [...new Set(seen)].sort((left, right) => left - right),
      )
    },
  },
  {
    id: 'D8',
    title: 'a touch changes the stat only',
    async run(context) {
      const store = await context.create()
      const put = samplePut('a.md', 2, { inode: '5', version: 'one' })
      await change(store, { put: [put] })
      const before = await chunksOf(store, put.document)
      const stat = { source: 'memory', path: 'a.md', size: 121, modifiedAtMs: 5, inode: '6' }
      await change(store, { touch: [stat, { ...stat, path: 'unknown.md' }] })
      const { version: _version, ...content } = put.document
      assert.deepEqual(await read(store, (snapshot) => collect(snapshot.documents())), [{ ...content, ...stat }])
      assert.deepEqual(await chunksOf(store, put.document), before)
    },
  },
  {
    id: 'D17',
    title: 'a touch with a recipe changes the stat and the recipe only',
    async run(context) {
      const store = await context.create()
      const put = samplePut('a.md', 2)
      await change(store, { put: [put] })
      const before = await chunksOf(store, put.document)
      const stat = { source: 'memory', path: 'a.md', size: 121, modifiedAtMs: 5, recipe: 'another' }
      await change(store, { touch: [stat] })
      assert.deepEqual(await read(store, (snapshot) => collect(snapshot.documents())), [{ ...put.document, ...stat }])
      assert.deepEqual(await chunksOf(store, put.document), before)
    },
  },
  {
    id: 'D9',
    title: 'a removal takes the document and its chunks; an unknown one is no error',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [samplePut('a.md', 2), samplePut('b.md', 1)] })
      const gone = await chunksOf(store, sampleDocument('a.md'))
      await change(store, { remove: [sampleDocument('a.md'), sampleDocument('never.md')] })
      await assertUnchanged(store, ['b.md'])
      await read(store, async (snapshot) => {
        assert.deepEqual(await snapshot.chunksOf(sampleDocument('a.md')), [])
        assert.deepEqual(await snapshot.chunks(gone.map(({ id }) => id)), [])
        assert.deepEqual(await snapshot.counts(), { documents: 1, chunks: 1 })
      })
    },
  },
  {
    id: 'D10',
    title: 'B33 paths that differ in case, composition or punctuation are documents of their own',
    async run(context) {
      const paths = [
        'my_file.md',
        'my-file.md',
        'my file.md',
        'My_File.md',
        '🐘.md',
        '{.md',
        '[.md',
        '%_x.md',
        "O'Brien.md",
        'a\\b.md',
        'a/b.md',
      ]
      paths.push('\u00e9.md', 'e\u0301.md', `x' OR '1'='1`, '')
      const store = await context.create()
      await change(store, { put: paths.map((path, index) => samplePut(path, index + 1)) })
      for (const [index, path] of paths.entries()) {
        const chunks = await chunksOf(store, sampleDocument(path))
        assert.equal(chunks.length, index + 1, path)
        assert.equal(chunks[0]?.document.path, path)
      }
      await change(store, { remove: [sampleDocument('\u00e9.md'), sampleDocument('%_x.md'), sampleDocument(`x' OR '1'='1`)] })
      assert.equal((await read(store, (snapshot) => snapshot.counts())).documents, paths.length - 3)
      assert.equal((await chunksOf(store, sampleDocument('e\u0301.md'))).length, 13)
    },
  },
  {
    id: 'D11',
    title: 'sources and parts keep documents apart, and `documents` can be asked for one source',
    async run(context) {
      const store = await context.create()
      const whole = samplePut('a', 1)
      const first = samplePut('a', 2, { part: 0 })
      const second = samplePut('a', 3, { part: 1 })
      const session = samplePut('a', 4, { source: 'sessions' })
      await change(store, { put: [whole, first, second, session] })
      const lengths = async (): Promise<number[]> => {
        const found = [whole, first, second, session].map(({ document }) => chunksOf(store, document))
        return (await Promise.all(found)).map((chunks) => chunks.length)
      }
      assert.deepEqual(await lengths(), [1, 2, 3, 4])
      assert.equal((await read(store, (snapshot) => collect(snapshot.documents('memory')))).length, 3)
      assert.deepEqual(await read(store, (snapshot) => collect(snapshot.documents('sessions'))), [session.document])
      await change(store, { remove: [first.document, session.document] })
      assert.deepEqual(await lengths(), [1, 0, 3, 0])
    },
  },
  {
    id: 'D12',
    title: '`segments` is called once, with the ids of all new chunks and of all removed ones',
    needs: ['keywords'],
    async run(context) {
      const store = await context.create()
      await change(store, { put: [samplePut('a.md', 2), samplePut('b.md', 2), samplePut('c.md', 1)] })
      const replaced = await chunksOf(store, sampleDocument('a.md'))
      const removed = await chunksOf(store, sampleDocument('b.md'))
      const put = [samplePut('a.md', 1), samplePut('new.md', 2)]
      const calls: { ids: Map<NewChunk, number>; gone: number[] }[] = []
      await change(store, {
        put,
        remove: [sampleDocument('b.md')],
        segments: (ids, gone) => {
          calls.push({ ids: new Map(ids), gone: [...gone] })
          return [sampleSegment('s', ['k'])]
        },
      })
      assert.equal(calls.length, 1)
      assert.deepEqual(
        [...(calls[0]?.ids.keys() ?? [])],
        put.flatMap(({ chunks }) => chunks),
      )
      assert.deepEqual(
        calls[0]?.gone,
        [...replaced, ...removed].map(({ id }) => id),
      )
      const stored = await read(store, (snapshot) => snapshot.chunks([...(calls[0]?.ids.values() ?? [])]))
      assert.deepEqual(
        stored.map(({ text }) => text),
        put.flatMap(({ chunks }) => chunks.map(({ text }) => text)),
      )
    },
  },
  {
    id: 'D13',
    title: 'a document both removed and put in one change set is put',
    async run(context) {
      const store = await context.create()
      await change(store, { put: [samplePut('a.md', 3)] })
      await change(store, { put: [samplePut('a.md', 1)], remove: [sampleDocument('a.md')] })
      assert.equal((await chunksOf(store, sampleDocument('a.md'))).length, 1)
    },
  },
  {
    id: 'D14',
    title: 'any well-formed text comes back unchanged: quotes, NUL, controls, emoji, right-to-left',
    async run(context) {
      const texts = [
        'O\'Brien said "x"; DROP TABLE chunks; --',
        'a\0b',
        '\u0001\u001f\u007f',
        '👩‍💻🏳️‍🌈',
        'قَرَّرَ\u200f',
        '\u{10ffff}\uffff',
        '\r\n\t \u2028',
        '',
      ]
      const store = await context.create()
      const document = sampleDocument('a\0b.md', { title: texts.join('|'), properties: { [texts[0] ?? '']: texts[1] ?? '' } })
      const chunks = texts.map((text, ordinal) =>
        sampleChunk(document, ordinal, {
          text,
          headingTrail: [text],
          inputs: [text],
          attributes: { tags: [text], extra: { text } },
        }),
      )
      await change(store, { put: [{ document, chunks }] })
      assert.deepEqual(
        (await chunksOf(store, document)).map(({ id: _id, ...chunk }) => chunk),
        chunks,
      )
      assert.deepEqual(await read(store, (snapshot) => snapshot.documentsOf([document])), [document])
    },
  },
  {
    id: 'D15',
    title: 'stub chunks, which have no input, are kept and not counted',
    async run(context) {
      const store = await context.create()
      const document = sampleDocument('headings-only.md')
      await change(store, {
        put: [{ document, chunks: [sampleChunk(document, 0, { inputs: [], text: '' })] }, samplePut('a.md', 1)],
      })
      assert.deepEqual(await read(store, (snapshot) => snapshot.counts()), { documents: 2, chunks: 1 })
      const [stub] = await chunksOf(store, document)
      assert.deepEqual(stub?.inputs, [])
      assert.equal((await read(store, (snapshot) => snapshot.filter({}))).has(stub?.id ?? 0), true)
    },
  },
  {
    id: 'D16',
    title: 'chunks come in the order asked for, unknown ids left out; those of a document by ordinal',
    async run(context) {
      const store = await context.create()
      const document = sampleDocument('a.md')
      await change(store, { put: [{ document, chunks: [2, 0, 1].map((ordinal) => sampleChunk(document, ordinal)) }] })
      const chunks = await chunksOf(store, document)
      assert.deepEqual(
        chunks.map(({ ordinal }) => ordinal),
        [0, 1, 2],
      )
      const ids = chunks.map(({ id }) => id)
      const [first = 0, second = 0, third = 0] = ids
      await read(store, async (snapshot) => {
        for (const order of [
          [first, second, third],
          [third, first, second],
          [second, third, first],
        ]) {
          const found = await snapshot.chunks([-1, ...order, 999_999])
          assert.deepEqual(
            found.map(({ id }) => id),
            order,
          )
        }
      })
    },
  },
]
