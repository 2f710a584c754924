export type InputType = 'query' | 'document'
export type Modality = 'text' | 'image' | 'audio'

/** One input of an embedding. Core puts a chunk's context in front of its text. The canonical form is hashed as the key of the stored vector. */
export type EmbeddingInput =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media'; readonly mime: string; readonly bytes: Uint8Array; readonly label: string }
