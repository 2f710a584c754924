const TABLES = new Map<string, ReadonlyMap<string, readonly number[]>>()

/** A text in one of the encodings that `TextDecoder` reads: its own table, turned round. Throws for a character it has not. */
export function encode(text: string, label: string): Uint8Array {
  let table = TABLES.get(label)
  if (table === undefined) {
    table = tableOf(label)
    TABLES.set(label, table)
  }
  const bytes: number[] = []
  for (const character of text) {
    const code = table.get(character)
    if (code === undefined) throw new Error(`${label} has no ${character}`)
    bytes.push(...code)
  }
  return Uint8Array.from(bytes)
}

function tableOf(label: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true })
  const table = new Map<string, readonly number[]>()
  const add = (...bytes: number[]): void => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes))
      if ([...character].length === 1 && !table.has(character)) table.set(character, bytes)
    } catch {
      // Not a character of this encoding.
    }
  }
  for (let first = 0; first < 256; first += 1) add(first)
  for (let first = 0x81; first < 256; first += 1) for (let second = 0x40; second < 256; second += 1) add(first, second)
  return table
}
