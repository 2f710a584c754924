import { failureError } from '@mnemark/provider-kit'
import type * as LlamaCpp from 'node-llama-cpp'

/** The part of node-llama-cpp that is used. */
export type Library = Pick<
  typeof LlamaCpp,
  'getLlama' | 'resolveModelFile' | 'LlamaLogLevel' | 'InsufficientMemoryError' | 'NoBinaryFoundError'
>
export type LoadLibrary = () => Promise<Library>

/** An optional peer: some hundred megabytes that only users of local models need. */
export async function importLibrary(load: LoadLibrary = () => import('node-llama-cpp')): Promise<Library> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
    throw failureError(
      {
        code: 'config',
        summary: 'node-llama-cpp, which runs local models, is not installed',
        nextStep: 'Install it beside this package: npm install node-llama-cpp',
      },
      error,
    )
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
