import * as v from 'valibot'
import { classed, key } from './schema-values.ts'

// Keys of OpenClaw files that do not concern memory, as of 2026: its gateway, channels, models, tools. They are accepted
// unchanged, so that such a file works as it is.

const TOP = [
  '$schema',
  'meta',
  'auth',
  'acp',
  'env',
  'wizard',
  'diagnostics',
  'logging',
  'cli',
  'update',
  'browser',
  'ui',
  'skills',
  'nodeHost',
  'bindings',
  'broadcast',
  'audio',
  'media',
  'messages',
  'commands',
  'approvals',
  'web',
  'channels',
  'cron',
  'hooks',
  'discovery',
  'canvasHost',
  'talk',
  'gateway',
  'vault',
  'mcp',
] // prettier-ignore
const AGENT_DEFAULTS = [
  'model',
  'imageModel',
  'imageGenerationModel',
  'pdfModel',
  'pdfMaxBytesMb',
  'pdfMaxPages',
  'models',
  'params',
  'repoRoot',
  'skipBootstrap',
  'bootstrapMaxChars',
  'bootstrapTotalMaxChars',
  'bootstrapPromptTruncationWarning',
  'timeFormat',
  'envelopeTimezone',
  'envelopeTimestamp',
  'envelopeElapsed',
  'contextTokens',
  'cliBackends',
  'contextPruning',
  'contextLimits',
  'embeddedPi',
  'thinkingDefault',
  'verboseDefault',
  'elevatedDefault',
  'reasoningDefault',
  'blockStreamingDefault',
  'blockStreamingBreak',
  'blockStreamingChunk',
  'blockStreamingCoalesce',
  'humanDelay',
  'timeoutSeconds',
  'mediaMaxMb',
  'imageMaxDimensionPx',
  'typingIntervalSeconds',
  'typingMode',
  'heartbeat',
  'maxConcurrent',
  'subagents',
  'additionalSystemPrompt',
  'sandbox',
  'skills',
  'runtime',
]
const AGENT = [
  'default',
  'name',
  'agentDir',
  'model',
  'params',
  'humanDelay',
  'heartbeat',
  'statusUpdates',
  'identity',
  'groupChat',
  'subagents',
  'sandbox',
  'tools',
  'skills',
  'runtime',
  'thinkingDefault',
  'verboseDefault',
  'reasoningDefault',
  'fastModeDefault',
]
const MODELS = ['mode', 'bedrockDiscovery', 'pricing']
const MODEL_PROVIDER = [
  'models',
  'auth',
  'authHeader',
  'injectNumCtxForOpenAICompat',
  'timeoutSeconds',
  'contextWindow',
  'contextTokens',
  'maxTokens',
]
const TOOLS = [
  'profile',
  'allow',
  'alsoAllow',
  'deny',
  'byProvider',
  'web',
  'media',
  'links',
  'message',
  'agentToAgent',
  'elevated',
  'exec',
  'fs',
  'loopDetection',
  'subagents',
  'sandbox',
  'sessions_spawn',
  'experimental',
  'codeMode',
]
const PLUGINS = ['enabled', 'allow', 'deny', 'load', 'entries', 'installs', 'bundledDiscovery']

const SESSION = [
  'scope',
  'dmScope',
  'mainKey',
  'identityLinks',
  'idleMinutes',
  'heartbeatIdleMinutes',
  'resetByType',
  'resetByChannel',
  'resetTriggers',
  'store',
  'typingMode',
  'parentForkMaxTokens',
  'agentToAgent',
  'sendPolicy',
  'threadBindings',
]
const MAINTENANCE = ['rotateBytes', 'resetArchiveRetention', 'maxDiskBytes', 'highWaterBytes']
const COMPACTION = [
  'mode',
  'provider',
  'model',
  'customInstructions',
  'maxHistoryShare',
  'recentTurnsPreserve',
  'identifierPolicy',
  'identifierInstructions',
  'qualityGuard',
  'postCompactionSections',
  'postIndexSync',
  'truncateAfterCompaction',
  'timeoutSeconds',
  'notifyUser',
  'reserveTokens',
]
const MEMORY_FLUSH = ['forceFlushTranscriptBytes']

export type ForeignEntries = Record<string, v.GenericSchema>

const foreign = (names: readonly string[]): ForeignEntries =>
  Object.fromEntries(
    names.map((name) => [name, classed('finding', key(v.unknown(), { means: 'not about memory', isForeign: true }))]),
  )

/** Grouped by their place in the file. */
export const OPENCLAW_KEYS: Readonly<
  Record<
    | 'top'
    | 'agentDefaults'
    | 'agent'
    | 'models'
    | 'modelProvider'
    | 'tools'
    | 'plugins'
    | 'session'
    | 'maintenance'
    | 'compaction'
    | 'memoryFlush',
    ForeignEntries
  >
> = {
  top: foreign(TOP),
  agentDefaults: foreign(AGENT_DEFAULTS),
  agent: foreign(AGENT),
  models: foreign(MODELS),
  modelProvider: foreign(MODEL_PROVIDER),
  tools: foreign(TOOLS),
  plugins: foreign(PLUGINS),
  session: foreign(SESSION),
  maintenance: foreign(MAINTENANCE),
  compaction: foreign(COMPACTION),
  memoryFlush: foreign(MEMORY_FLUSH),
}
