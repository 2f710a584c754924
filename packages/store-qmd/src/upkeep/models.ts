import { existsSync, readdirSync } from 'node:fs'
import type { Environment, QmdHome } from '../home.ts'
import type { SearchMode } from '../program/qmd-program.ts'

export interface ModelState {
  /** Number of model files that the mode needs, and of those present. */
  readonly needed: number
  readonly present: number
  readonly isDownloading: boolean
}

/** The embedder; for `vsearch` and `query` also the model that rewrites a query; for `query` also the reranker. */
const NEEDED: Readonly<Record<SearchMode, number>> = { search: 0, vsearch: 2, query: 3 }
const NAMED_BY = ['QMD_EMBED_MODEL', 'QMD_GENERATE_MODEL', 'QMD_RERANK_MODEL']

/** Counts files, because only the program knows which models it uses. */
export function modelState(mode: SearchMode, home: QmdHome, environment: Environment): ModelState {
  const needed = NEEDED[mode]
  if (needed === 0) return { needed, present: 0, isDownloading: false }
  const files = listModels(home.models)
  const elsewhere = NAMED_BY.filter((name) => existsSync(environment[name] ?? '')).length
  return {
    needed,
    present: Math.min(needed, files.filter((file) => /\.gguf$/i.test(file)).length + elsewhere),
    isDownloading: files.some((file) => /\.(?:ipull|part|tmp|download)$/i.test(file)),
  }
}

function listModels(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
