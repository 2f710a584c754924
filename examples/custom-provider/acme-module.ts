import type { CreateProvider } from '@mnemark/spec'
import { createAcme } from './acme.ts'

export const createProvider: CreateProvider = ({ apiKey = '', baseUrl }) =>
  createAcme({ apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) })
