import type { Entities } from '../entities/entities.ts'

const LETTER = /[\p{L}\p{M}\p{N}]/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Finds names of entities in a text, as whole words and as they are written there, in their order; the longest of those that begin at one place. */
export function knownNames(entities: Entities): (text: string) => readonly string[] {
  const names = entities
    .all()
    .flatMap(({ name, aliases }) => [name, ...aliases])
    .filter((name) => name.length > 1)
  return (text) => {
    const places = new Map<number, string>()
    for (const name of names) {
      const at = text.indexOf(name)
      if (at >= 0 && isWord(text, at, name) && name.length > (places.get(at)?.length ?? 0)) places.set(at, name)
    }
    return [...places].toSorted(([left], [right]) => left - right).map(([, name]) => name)
  }
}

function isWord(text: string, at: number, name: string): boolean {
  if (UNSPACED.test(name)) return true
  return !LETTER.test(text.charAt(at - 1)) && !LETTER.test(text.charAt(at + name.length))
}
