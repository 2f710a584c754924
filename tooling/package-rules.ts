/** Which package may depend on which: the one table of the architecture, read by `check-workspace.ts`. */

/** Every package of `packages/` and the packages of ours it may depend on; a package that is not named here may not exist. */
const DEPENDENCIES = {
  spec: [],
  'provider-kit': ['spec'],
  core: ['spec'],
  workspace: ['spec'],
  'store-sqlite': ['spec', 'store-kit'],
  'store-lancedb': ['spec', 'store-kit'],
  'store-postgres': ['spec', 'store-kit'],
  'store-qmd': ['spec', 'store-kit'],
  'embed-openai-compatible': ['spec', 'provider-kit'],
  'embed-openai': ['spec', 'provider-kit'],
  'embed-gemini': ['spec', 'provider-kit'],
  'embed-voyage': ['spec', 'provider-kit'],
  'embed-mistral': ['spec', 'provider-kit'],
  'bedrock-access': ['provider-kit'],
  'embed-bedrock': ['spec', 'provider-kit', 'bedrock-access'],
  'embed-ollama': ['spec', 'provider-kit'],
  'embed-local': ['spec', 'provider-kit'],
  'embed-lmstudio': ['spec', 'provider-kit', 'embed-openai-compatible'],
  'embed-github-copilot': ['spec', 'provider-kit', 'embed-openai-compatible'],
  'embed-ai-sdk': ['spec', 'provider-kit'],
  'generate-ollama': ['spec', 'provider-kit'],
  'generate-ai-sdk': ['spec', 'provider-kit'],
  'generate-mistral': ['spec', 'provider-kit'],
  'generate-openai-compatible': ['spec', 'provider-kit'],
  'rerank-cohere-compatible': ['spec', 'provider-kit'],
  'generate-bedrock': ['spec', 'provider-kit', 'bedrock-access'],
  'generate-gemini': ['spec', 'provider-kit'],
  'rerank-bedrock': ['spec', 'provider-kit', 'bedrock-access'],
  'rerank-voyage': ['spec', 'provider-kit'],
  sessions: ['spec', 'core', 'workspace'],
  bank: ['spec', 'core', 'workspace'],
  'store-kit': ['spec'],
  'store-memory': ['spec', 'store-kit'],
  masking: ['spec'],
  tools: ['spec', 'core', 'masking'],
  testkit: ['spec', 'store-kit', 'store-memory'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type PackageName = keyof typeof DEPENDENCIES

/** The suites a package tests itself with, and the store of examples; testkit stands on these, so they cannot use it without a circle: testkit tests them. */
const TEST_DEPENDENCIES: readonly string[] = ['testkit', 'store-memory']
const WITHOUT_TEST_DEPENDENCY: readonly PackageName[] = ['spec', 'store-kit', 'store-memory', 'testkit']

/** Packages whose sources, tests apart, run wherever JavaScript does: no module of Node, no network. */
export const PURE_PACKAGES: readonly PackageName[] = ['bank', 'core', 'spec', 'store-kit', 'store-memory']

/** Loaded on Node alone, by an import condition. */
export const NODE_FILES: readonly string[] = ['hash/sha256-node.ts']

/**
 * The folders of `src` from the top down, where a package has many: a folder imports those below it, never one above. Files beside the
 * folders join them, so they have no place here.
 */
export const FOLDERS_FROM_THE_TOP: Readonly<Record<string, readonly string[]>> = {
  core: [
    'backend',
    'keyword-index',
    'search',
    'generate',
    'rerank',
    'index',
    'list',
    'query',
    'embed',
    'calls',
    'keywords',
    'chunk',
    'repeats',
    'snippet',
    'decay',
    'document',
    'documents',
    'dates',
    'hybrid',
    'mmr',
    'scope',
    'text',
    'timing',
  ],
  bank: [
    'reflect',
    'pages',
    'recall',
    'opinions',
    'values',
    'propose',
    'judge',
    'packs',
    'facts',
    'journal',
    'entities',
    'retain',
  ],
  sessions: ['sessions', 'compaction', 'flush', 'context', 'tokens', 'folder', 'lifecycle', 'transcript'],
  workspace: ['writing', 'reading', 'watching', 'listing', 'paths'],
  'store-sqlite': ['upkeep', 'rows', 'scan', 'file', 'vectors', 'connection', 'codec'],
  'provider-kit': ['define', 'batch', 'fetch', 'reply', 'request', 'failure', 'json'],
  tools: ['mcp', 'tools', 'definition', 'reply', 'host'],
  testkit: [
    'provider-suite',
    'generator-suite',
    'reranker-suite',
    'service-suite',
    'store-suite',
    'backend-suite',
    'protocol-servers',
  ],
  mnemark: [
    'commands',
    'serve',
    'doctor',
    'operations',
    'printing',
    'memory',
    'completion',
    'qmd',
    'providers',
    'editor',
    'state',
    'command-line',
    'config',
    'eval',
    'picker',
    'context',
    'mcp',
    'terminal',
  ],
}

const isPackageName = (name: string): name is PackageName => Object.hasOwn(DEPENDENCIES, name)

/** The packages of ours that `name` may depend on, in `dependencies` or in `devDependencies`; undefined for an unknown package. */
export function allowedDependencies(name: string, isDevelopment: boolean): readonly string[] | undefined {
  if (!isPackageName(name)) return undefined
  const allowed: readonly string[] = DEPENDENCIES[name]
  return isDevelopment && !WITHOUT_TEST_DEPENDENCY.includes(name) ? [...allowed, ...TEST_DEPENDENCIES] : allowed
}
