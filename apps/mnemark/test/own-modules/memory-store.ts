import type { CreateStore } from '@mnemark/spec'
import { createInMemoryStore } from '@mnemark/testkit'

/** A store that is gone with its process: a search fills it first. */
export const createStore: CreateStore = ({ options }) => {
  if (options['label'] !== 'for the test') throw new Error(`label is ${String(options['label'])}`)
  return createInMemoryStore()
}
