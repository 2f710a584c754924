/** A rule about comments: each says the thing first, and none begins with a bare fragment of a sentence. Read by `check-workspace.ts`. */

const FRAGMENT = /^\s*(?:\/\/|\/\*\*|\*) (Of|What|Who|Told)\b/u

export interface CommentFragment {
  /** Counted from 1. */
  readonly line: number
  readonly word: string
}

/** The lines of a source on which a comment, or a further line of one, begins with a fragment. */
export function commentFragments(source: string): readonly CommentFragment[] {
  return source.split('\n').flatMap((text, index) => {
    const word = FRAGMENT.exec(text)?.[1]
    return word === undefined ? [] : [{ line: index + 1, word }]
  })
}

/** One line for each fragment in the source at `path`. */
export function commentProblems(path: string, source: string): readonly string[] {
  return commentFragments(source).map(
    ({ line, word }) => `${path}:${line} has a comment that begins with "${word}": say the thing first`,
  )
}
