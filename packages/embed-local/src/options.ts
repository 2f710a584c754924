import type { EmbeddingLimits, EmbeddingProvider } from '@mnemark/spec'
import type { PromptPrefix } from '@mnemark/provider-kit'

/** llama.cpp puts nothing in front of a text; what the model wants there comes from here. Documents' prefix is part of the vector space. */
export type LocalInputType = 'symmetric' | { readonly prefix: PromptPrefix }

export interface LocalEmbeddingOptions {
  /**
   * A GGUF file: its path (`~` is the home folder), `hf:user/repository/file.gguf`, `hf:user/repository:quantisation`, or a URL (https,
   * or plain http on this machine or network). Hugging Face and URLs are fetched once, with the first call, into `modelCacheDir`. The
   * space names a path by its file name only, so give different models different file names.
   */
  readonly model: string
  /** Where fetched models are kept. Default: the folder of node-llama-cpp, `~/.node-llama-cpp/models`. */
  readonly modelCacheDir?: string | undefined
  /** Tokens of context, and of a batch. Default: 2048, or what the model's family takes, if that is less. The model's own is the most. */
  readonly contextSize?: number | undefined
  /** Default: the prefixes of the model's family, known by its name; `symmetric` for families not known. */
  readonly inputType?: LocalInputType | undefined
  /** `auto` uses a graphics card where node-llama-cpp finds one. Default `auto`. */
  readonly gpu?: 'auto' | false | undefined
  /** Default: one for every two cores. */
  readonly threads?: number | undefined
  /** For models that Hugging Face shows only to some. The environment is not read. */
  readonly huggingFaceToken?: string | undefined
  /** A mirror of Hugging Face. Default `https://huggingface.co`. */
  readonly huggingFaceEndpoint?: string | undefined
  /** Default: 32 texts a call, the context size, one call at a time. */
  readonly limits?: Partial<EmbeddingLimits> | undefined
  /** Default: vector weight 0.7. */
  readonly traits?: Partial<Omit<EmbeddingProvider['traits'], 'isLocal'>> | undefined
  /** Ends a call as `unavailable`; loading goes on for the next one. Mind that the first call may fetch the model. Default: none. */
  readonly timeoutMs?: number | undefined
}
