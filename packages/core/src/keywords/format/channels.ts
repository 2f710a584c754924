/**
 * A channel is one term stream over one field. Its letter begins every key in a segment, so keys of a channel are
 * adjacent and a new stream (stems, say) is a new row here.
 */
export interface Channel {
  readonly letter: string
  readonly stream: 'exact' | 'spelling' | 'stem' | 'gram' | 'date' | 'wording'
  readonly field: 'text' | 'context' | 'path' | 'name' | 'day' | 'property' | 'entry' | 'title' | 'text and context'
  /** BM25's length normalisation, 0 to 1; channels of 0 need no lengths. */
  readonly b: number
  /** The channel whose lengths apply, where it is another one. */
  readonly lengthsOf?: 'text' | 'context' | 'gram'
  /** How many occurrences count: 1 = presence only, 2 = once or more often, 255 = all. */
  readonly maxFrequency: 1 | 2 | 255
}

export type ChannelName =
  | 'text'
  | 'context'
  | 'path'
  | 'name'
  | 'stem'
  | 'gram'
  | 'date'
  | 'property'
  | 'spelling'
  | 'spellingContext'
  | 'spellingGram'
  | 'title'
  | 'entry'

export const CHANNELS: Readonly<Record<ChannelName, Channel>> = {
  text: { letter: 'e', stream: 'exact', field: 'text', b: 0.75, maxFrequency: 255 },
  context: { letter: 'c', stream: 'exact', field: 'context', b: 0.4, maxFrequency: 1 },
  path: { letter: 'p', stream: 'exact', field: 'path', b: 0, maxFrequency: 1 },
  name: { letter: 'n', stream: 'exact', field: 'name', b: 0, maxFrequency: 1 },
  // Only stems that differ from the word itself: the others are found among the words.
  stem: { letter: 's', stream: 'stem', field: 'text and context', b: 0.75, lengthsOf: 'text', maxFrequency: 255 },
  gram: { letter: 'g', stream: 'gram', field: 'text and context', b: 0.4, maxFrequency: 2 },
  date: { letter: 'd', stream: 'date', field: 'day', b: 0, maxFrequency: 1 },
  property: { letter: 'k', stream: 'exact', field: 'property', b: 0, maxFrequency: 1 },
  // Common form of words and bigrams with several spellings, only where it differs from the word or bigram itself.
  spelling: { letter: 'x', stream: 'spelling', field: 'text', b: 0.75, lengthsOf: 'text', maxFrequency: 255 },
  spellingContext: { letter: 'u', stream: 'spelling', field: 'context', b: 0.4, lengthsOf: 'context', maxFrequency: 1 },
  spellingGram: { letter: 'w', stream: 'spelling', field: 'text and context', b: 0.4, lengthsOf: 'gram', maxFrequency: 2 },
  // Never scored: names order above content, see `name-terms.ts`.
  title: { letter: 't', stream: 'exact', field: 'title', b: 0, maxFrequency: 1 },
  // Not searched by queries: finds the versions of an entry that was found.
  entry: { letter: 'v', stream: 'wording', field: 'entry', b: 0, maxFrequency: 255 },
}

/** Channels with lengths, in the order in which segments store them. */
export const MEASURED: readonly ChannelName[] = ['text', 'context', 'gram']

export function keyOf(channel: ChannelName, term: string): string {
  return CHANNELS[channel].letter + term
}

const BY_LETTER = new Map<string, ChannelName>(
  // Object.entries widens the keys of a constant table to string.
  (Object.entries(CHANNELS) as [ChannelName, Channel][]).map(([name, channel]) => [channel.letter, name]),
)

/** Undefined for the reserved keys before all channels. */
export function channelOf(key: string): ChannelName | undefined {
  return BY_LETTER.get(key[0] ?? '')
}
