/** The programs in the READMEs of packages, as a reader copies them: type-checked strictly and run against what is packed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importedModules } from '../workspace-check/source-imports.ts'

export interface ReadmeExample {
  readonly packageName: string
  /** From the consumer's folder: `readme/core-1.ts`. */
  readonly file: string
  readonly imports: readonly string[]
  /** False where it needs a test runner, a model or a program. */
  readonly isRun: boolean
}

const BLOCK = /^```ts\n([\s\S]*?)^```$/gm
const NEEDS_MORE = ['@mnemark/testkit/vitest', '@mnemark/store-qmd', '@mnemark/embed-local']

/** A block that imports nothing, or a file of the reader's, is a part of a program. */
export function isWholeProgram(code: string): boolean {
  const imports = importedModules(code)
  return imports.length > 0 && !imports.some((name) => name.startsWith('.'))
}

/** Writes each whole program of a README to a file. */
export function writeExamples(readme: string, packageName: string, consumer: string): readonly ReadmeExample[] {
  mkdirSync(join(consumer, 'readme'), { recursive: true })
  return [...readme.matchAll(BLOCK)].flatMap(([, code = ''], index) => {
    const imports = importedModules(code)
    if (!isWholeProgram(code)) return []
    const file = `readme/${packageName.replace('@mnemark/', '')}-${index + 1}.ts`
    writeFileSync(join(consumer, file), `${code}export {}\n`)
    return [{ packageName, file, imports, isRun: !imports.some((name) => NEEDS_MORE.includes(name)) }]
  })
}

/** The services that examples ask, played by the packed testkit in a process of its own; it prints the environment that leads to them. */
const SERVICES = `
import * as kit from '@mnemark/testkit'

const KEY = 'sk-key-of-an-example-0123456789'
const LOGIN = 'gho_loginOfAnExampleAccount0123456789'
const start = (wire, apiKey = KEY) => kit.startProtocolServer(wire, { apiKey })
const openai = await start(kit.openAIWire)
const gemini = await start(kit.geminiWire)
const voyage = await start(kit.voyageWire)
const mistral = await start(kit.mistralWire)
const bedrock = await start(kit.bedrockWire('cohere.embed-multilingual-v3'))
const copilot = await start(kit.githubCopilotWire)
const tokens = kit.githubTokenWire({ tokens: [KEY], fields: { refresh_in: 1500, endpoints: { api: copilot.origin } } })
const github = await start(tokens, LOGIN)
const ollama = await kit.startProtocolServer(kit.ollamaWire)
const lmStudio = await kit.startProtocolServer(kit.lmStudioWire({ loaded: ['text-embedding-bge-m3'] }))
const chat = (wire) => kit.startChatServer(wire, { apiKey: KEY })
const openaiChat = await chat(kit.chatCompletionsWire())
const mistralChat = await chat(kit.mistralChatWire)
const ollamaChat = await chat(kit.ollamaChatWire)
const geminiChat = await chat(kit.geminiChatWire)
const bedrockChat = await chat(kit.bedrockChatWire)
const reranking = (wire) => kit.startRerankServer(wire, { apiKey: KEY })
const reranker = await reranking(kit.cohereLikeRerankWire)
const voyageRerank = await reranking(kit.voyageRerankWire)
const bedrockRerank = await reranking(kit.bedrockRerankWire)
const generate = {
  OPENAI_BASE_URL: openaiChat.baseUrl, MISTRAL_BASE_URL: mistralChat.baseUrl, OLLAMA_HOST: ollamaChat.baseUrl,
  GEMINI_BASE_URL: geminiChat.baseUrl, BEDROCK_URL: bedrockChat.origin,
}
const rerank = {
  RERANK_API_KEY: KEY, RERANK_BASE_URL: reranker.baseUrl,
  VOYAGE_BASE_URL: voyageRerank.baseUrl, BEDROCK_URL: bedrockRerank.origin,
}
const embed = {
  OPENAI_API_KEY: KEY, OPENAI_BASE_URL: openai.baseUrl,
  GEMINI_API_KEY: KEY, GEMINI_BASE_URL: gemini.baseUrl,
  VOYAGE_API_KEY: KEY, VOYAGE_BASE_URL: voyage.baseUrl,
  MISTRAL_API_KEY: KEY, MISTRAL_BASE_URL: mistral.baseUrl,
  AWS_ACCESS_KEY_ID: kit.BEDROCK_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: KEY, AWS_REGION: 'eu-west-1', BEDROCK_URL: bedrock.origin,
  COPILOT_GITHUB_TOKEN: LOGIN, GITHUB_API_URL: github.origin,
  OLLAMA_HOST: ollama.baseUrl, LM_STUDIO_URL: lmStudio.origin,
}
console.log(JSON.stringify({ '': embed, generate: { ...embed, ...generate }, rerank: { ...embed, ...rerank } }))
`

type Environment = Readonly<Record<string, string>>

export interface Services extends AsyncDisposable {
  /** The variables for the examples of a package: one name leads to another route for chat models and for rerankers. */
  environmentOf(packageName: string): Environment
}

/** Rejects where they do not start: the packed testkit is broken then. */
export async function startServices(consumer: string): Promise<Services> {
  writeFileSync(join(consumer, 'services.mjs'), SERVICES)
  const child = spawn(process.execPath, ['services.mjs'], { cwd: consumer, stdio: ['ignore', 'pipe', 'inherit'] })
  const environments: Readonly<Record<string, Environment>> = JSON.parse(await firstLine(child))
  return {
    environmentOf: (packageName) => environments[/^@mnemark\/(\w+)-/.exec(packageName)?.[1] ?? ''] ?? environments[''] ?? {},
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await once(child, 'close')
    },
  }
}

async function firstLine({ stdout, exitCode }: ChildProcess): Promise<string> {
  if (stdout === null || exitCode !== null) throw new Error('the services of the examples did not start')
  let text = ''
  for await (const piece of stdout.setEncoding('utf8')) {
    text += String(piece)
    if (text.includes('\n')) return text
  }
  throw new Error('the services of the examples ended at once')
}
