import type { ChunkAttributes, StoredChunk } from '@mnemark/spec'
import { foldWord } from '../../text/letters/fold.ts'
import { squeeze } from '../markdown/plain-text.ts'

/** A tag without the signs around it: `#boat`, `[[boat]]`, `"boat"`, `boat/`. */
export function plainTag(tag: string): string {
  return squeeze(tag.replace(/^[\s#"'“”[]+|(?<![\s/"'“”\]])[\s/"'“”\]]+$/gu, ''))
}

/** The form in which tags are compared: `José` and `jose`, `أحمد` and `احمد`, `غرفة١` and `غرفة1` are equal. */
export function tagKey(tag: string): string {
  return foldWord(plainTag(tag)).replace(/(?<!\s)\s*\/+\s*/g, '/')
}

/** The same for entities, which may be written `@Ann` or `[[Ann]]`. */
export function entityKey(entity: string): string {
  return foldWord(squeeze(entity.replace(/^[\s@"'“”[]+|(?<![\s"'“”\]])[\s"'“”\]]+$/gu, '')))
}

/** `project/alpha` is found as itself and as `project`. */
function withParents(key: string): readonly string[] {
  const parts = key.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** Labels of a chunk that filters compare: folded, tags with their parents. */
export function labelsOf({ entities = [], tags = [] }: ChunkAttributes): Pick<StoredChunk, 'labels'> {
  const keys = { entities: unique(entities.map(entityKey)), tags: unique(tags.map(tagKey).flatMap(withParents)) }
  if (keys.entities.length + keys.tags.length === 0) return {}
  return {
    labels: {
      ...(keys.entities.length > 0 && { entities: keys.entities }),
      ...(keys.tags.length > 0 && { tags: keys.tags }),
    },
  }
}

function unique(keys: readonly string[]): readonly string[] {
  return [...new Set(keys)].filter((key) => key !== '')
}
