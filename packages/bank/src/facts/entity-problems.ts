import type { FactState } from './fact-registry.ts'

/** A page of the bank whose names do not mean what its author thinks. */
export interface EntityProblem {
  /** `two-pages`: another page has one of its names too, and comes first. `lost-redirect`: its `redirect:` leads to a name that has no page. */
  readonly code: 'two-pages' | 'lost-redirect'
  readonly path: string
  /** The page that comes first. */
  readonly first?: string
}

/** The problems of the pages of entities, by path. */
export function entityProblems({ entities }: Pick<FactState, 'entities'>): readonly EntityProblem[] {
  const twice = entities.conflicts.map(({ paths: [first, path] }): EntityProblem => ({ code: 'two-pages', path, first }))
  const lost = entities.all().flatMap((entity) =>
    entities
      .pagesOf(entity)
      .filter(({ path, redirect }) => redirect !== undefined && path === entity.page)
      .map(({ path }): EntityProblem => ({ code: 'lost-redirect', path })),
  )
  return [...twice, ...lost].sort((left, right) => (left.path < right.path ? -1 : 1))
}
