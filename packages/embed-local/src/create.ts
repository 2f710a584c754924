import type { EmbeddingProvider } from '@mnemark/spec'
import { createLocalWith } from './create-with.ts'
import { importLibrary } from './library.ts'
import type { LocalEmbeddingOptions } from './options.ts'

/**
 * A provider on a GGUF model in this process, through node-llama-cpp, which must be installed beside this package. Model and library are
 * loaded with the first call; a file that is missing or broken, or a missing library, is a `config` error then. Throws a `config` error
 * at once for a reference, sizes or an input type that cannot be.
 */
export function createLocal(options: LocalEmbeddingOptions): EmbeddingProvider & AsyncDisposable {
  return createLocalWith(options, () => importLibrary())
}
