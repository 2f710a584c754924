import { parseDocument } from '@mnemark/core/document'
import type { FactState } from '../facts/fact-registry.ts'
import { ENTITY_PAGE } from '../retain/fact-places.ts'
import { blockContent, type BlockSection } from './block-content.ts'
import { entitySections } from './entity-block.ts'
import { newPage, pagedEntities } from './entity-page-path.ts'
import { EXPERIENCE_PAGE, kindSections, OPINIONS_PAGE, opinionSections, WORLD_PAGE } from './kind-block.ts'
import { type BlockDamage, readBlock, writeBlock } from './managed-block.ts'
import { type MemoryProposal, proposeMemory } from './memory-proposal.ts'
import { pageDiff } from './page-diff.ts'
import type { Tombstone } from './page-facts.ts'
import type { PageOpinion } from './page-opinion.ts'

export interface PagesOptions {
  readonly opinions?: readonly PageOpinion[] | undefined
  /** Bullets that a person deleted, as `adoptPage` names them. */
  readonly tombstones?: readonly Tombstone[] | undefined
  /** Names of entities that get a page whatever is known of them. */
  readonly requested?: readonly string[] | undefined
  /** Most statements of a kind on `bank/world.md` and `bank/experience.md`. Default 500. */
  readonly mostListed?: number | undefined
  /** Version of the formula that made the numbers of opinions, without blanks: it stands in the marker of their page. */
  readonly formula?: string | undefined
  /**
   * Keys of the entities that changed facts name, in their head or their text, before or after the change: pages of others are not computed.
   * Absent: all are, as after a change of slots or of an entity's page.
   */
  readonly touched?: ReadonlySet<string> | undefined
  /** The long-term file, for which changes are proposed. Absent: nothing is proposed. */
  readonly memory?: { readonly path: string; readonly limitTokens?: number | undefined } | undefined
}

/** A page as it is and as it should be. `before` absent: there is no such page yet. */
export interface PageChange {
  readonly path: string
  readonly before?: string
  readonly after: string
  /** Unified. */
  readonly diff: string
}

export interface PagePlan {
  readonly changes: readonly PageChange[]
  /** Pages whose block a person edited, with the lines of its markers, from 1: left alone until `adoptPage`. */
  readonly edited: readonly { readonly path: string; readonly lines: readonly [first: number, last: number] }[]
  /**
   * Pages that hold no single whole block, left alone until a person mends them. `no-entity`: a page below `bank/entities/` with a block whose
   * entity has another page, as after a merge: its block grows old.
   */
  readonly damaged: readonly {
    readonly path: string
    readonly why: BlockDamage | 'no-entity'
    readonly lines: readonly number[]
  }[]
  /** Changes of the long-term file: a person makes them, or nobody. */
  readonly proposals: readonly MemoryProposal[]
  /** Pages whose block was computed. */
  readonly computed: number
}

export const MOST_LISTED = 500

/** Pages with a block that no entity has as its page. */
function unowned(texts: ReadonlyMap<string, string>, owned: ReadonlySet<string>): PagePlan['damaged'] {
  return [...texts].flatMap(([path, text]) => {
    if (owned.has(path) || !ENTITY_PAGE.test(path) || isUnmanaged(text)) return []
    const block = readBlock(text)
    if (block.state === 'none') return []
    return [{ path, why: 'no-entity' as const, lines: block.state === 'whole' ? [block.startLine, block.endLine] : block.lines }]
  })
}

/** A page of the bank and the sections of its block. */
export interface PageContent {
  readonly path: string
  readonly sections: readonly BlockSection[]
  /** The text that a new page begins with; absent where only an existing page is written. */
  readonly start?: string
  /** Name of the entity that the page is about. */
  readonly subject?: string
  readonly ignoresNumbers: boolean
}

/**
 * Plans the managed blocks of `bank/` from all facts and the pages as they are. Pure and free of order: the same facts give
 * the same plan, and after its changes there is nothing to do. `texts` holds every existing page by its path.
 */
export function planPages(state: FactState, texts: ReadonlyMap<string, string>, options: PagesOptions = {}): PagePlan {
  const changes: PageChange[] = []
  const edited: PagePlan['edited'][number][] = []
  const damaged: PagePlan['damaged'][number][] = []
  const contents = pageContents(state, texts, options)
  for (const content of contents) {
    const { path } = content
    const before = texts.get(path)
    const result = writeBlock(before ?? content.start ?? '', blockOf(content, options))
    if ('page' in result) {
      const after = result.page
      if (after !== before)
        changes.push({ path, after, diff: pageDiff(path, before, after), ...(before !== undefined && { before }) })
    } else if (result.state === 'damaged') damaged.push({ path, why: result.why, lines: result.lines })
    else edited.push({ path, lines: [result.startLine, result.endLine] })
  }
  if (options.touched === undefined) damaged.push(...unowned(texts, new Set(contents.map(({ path }) => path))))
  const { memory, opinions } = options
  const proposal = memory && proposeMemory(state, texts.get(memory.path), { ...memory, opinions })
  return { changes, edited, damaged, proposals: proposal === undefined ? [] : [proposal], computed: contents.length }
}

export function blockOf(content: PageContent, { formula }: PagesOptions): Parameters<typeof writeBlock>[1] {
  const { body, closing } = blockContent(content.sections, content)
  const ofOpinions = content.path === OPINIONS_PAGE && formula !== undefined
  return { body, closing, attributes: ofOpinions ? { formula } : {}, ignoresNumbers: content.ignoresNumbers }
}

/** The pages that have something to say, or a block that said something. */
export function pageContents(
  state: FactState,
  texts: ReadonlyMap<string, string>,
  options: PagesOptions,
): readonly PageContent[] {
  const { opinions = [], requested, mostListed = MOST_LISTED } = options
  const entities = pagedEntities(state, requested)
  const paged = new Set(entities.filter((one) => one.isDue || hasBlock(texts.get(one.path))).map(({ entity }) => entity.key))
  const deletedFrom = (path: string): ReadonlySet<string> =>
    new Set((options.tombstones ?? []).flatMap((one) => (one.path === path ? [one.fact] : [])))
  const ofEntities = entities
    .filter(({ entity }) => paged.has(entity.key) && options.touched?.has(entity.key) !== false)
    .map(({ entity, path }) => ({
      path,
      sections: entitySections(entity, state, { opinions, deleted: deletedFrom(path), path }),
      start: newPage(entity, path),
      subject: entity.name,
      ignoresNumbers: false,
    }))
  const ofKinds = [
    { path: WORLD_PAGE, start: '# World\n' },
    { path: EXPERIENCE_PAGE, start: '# Experience\n' },
  ].map(({ path, start }) => ({
    path,
    sections: kindSections(path, state, { paged, deleted: deletedFrom(path), mostListed }),
    start,
    ignoresNumbers: false,
  }))
  const ofOpinions = {
    path: OPINIONS_PAGE,
    sections: opinionSections(opinions, deletedFrom(OPINIONS_PAGE)),
    start: '# Opinions\n',
    ignoresNumbers: true,
  }
  return [...ofEntities, ...ofKinds, ofOpinions].filter(({ path, sections }) => {
    const text = texts.get(path)
    return !isUnmanaged(text) && (sections.some(({ items }) => items.length > 0) || hasBlock(text))
  })
}

/** `managed: false` in the front matter of a page keeps blocks away from it, also after its block was deleted. */
function isUnmanaged(text: string | undefined): boolean {
  if (text === undefined) return false
  const { properties } = parseDocument({ source: 'memory', path: 'page.md' }, { text: text.replace(/^\uFEFF/, '') })
  return properties['managed'] === 'false'
}

function hasBlock(text: string | undefined): boolean {
  return text !== undefined && readBlock(text).state !== 'none'
}
