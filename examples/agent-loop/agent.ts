import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount } from 'ai'
import type { LanguageModel, ModelMessage } from 'ai'
import { join, resolve } from 'node:path'
import { fromAISDK } from '@mnemark/generate-ai-sdk'
import { hearReply, isContextOverflow, messagesFromAISDK, openSessions, readCommand, toAISDK } from '@mnemark/sessions'
import type { Session } from '@mnemark/sessions'
import { openWorkspace } from '@mnemark/workspace'
import { openMemoryTools } from 'mnemark/tools'
import { scriptedModel } from './scripted-model.ts'

export interface AgentOptions {
  readonly model: Exclude<LanguageModel, string>
  /** The folder of the agent's notes. */
  readonly workspace: string
  /** Of the model, in tokens. */
  readonly window?: number
  /** Address of the service behind the model, for messages. */
  readonly endpoint?: string
}

export interface Agent extends AsyncDisposable {
  /** What the agent answers to a person; '' where it has nothing to say. */
  say(message: string): Promise<string>
}

const KEY = 'agent:main:main'
const OPENAI = 'https://api.openai.com/v1'

/** An agent that knows its notes and the conversation so far, whenever it is started again. */
export async function openAgent({ model, workspace, window = 128_000, endpoint = OPENAI }: AgentOptions): Promise<Agent> {
  const memory = await openMemoryTools({ workspace, caller: { sessionKey: KEY, chatType: 'direct' } })
  const sessions = await openSessions({
    folder: resolve(join(workspace, '.mnemark', 'sessions')),
    notes: await openWorkspace({ root: workspace }),
    generator: fromAISDK(model, { endpoint }),
  })
  const session = await sessions.openSession(KEY)
  const parts = { model, memory, session, window }
  return {
    say: async (message) => {
      const command = readCommand(message)
      const rest = command === null ? message : await obey(command.name, command.rest, { session, window })
      if (rest === null) return 'Done.'
      await session.append({ role: 'user', content: rest })
      return await ask(parts).catch((error: unknown) => (isContextOverflow(error) ? ask(parts, true) : Promise.reject(error)))
    },
    [Symbol.asyncDispose]: async () => {
      await sessions.close()
      await memory[Symbol.asyncDispose]()
    },
  }
}

interface Parts {
  readonly model: AgentOptions['model']
  readonly memory: Awaited<ReturnType<typeof openMemoryTools>>
  readonly session: Session
  readonly window: number
}

async function ask({ model, memory, session, window }: Parts, overflow = false): Promise<string> {
  const { context } = await session.nextContext({ window, overflow })
  const known = await memory.context({ budgetTokens: 2_000 })
  const result = await generateText({
    model,
    instructions: ['You are a helpful agent. Answer in a sentence or two.', memory.guidance, known.text].join('\n\n'),
    // The packages are tested against the types of the AI SDK, and depend on no version of it.
    messages: toAISDK(context.messages) as unknown as ModelMessage[],
    tools: memory.aiSdk,
    stopWhen: isStepCount(8),
  })
  await session.append(messagesFromAISDK(result.responseMessages, { total: result.usage, last: result.finalStep.usage }))
  return hearReply(result.text).text
}

/** The first words of a new session; null where none follow the command. */
async function obey(
  name: string,
  rest: string,
  { session, window }: { session: Session; window: number },
): Promise<string | null> {
  if (name === 'compact') {
    await session.compact({ window, focus: rest })
    return null
  }
  await session.reset('new')
  return rest === '' ? null : rest
}

/** A model of any service that speaks OpenAI's chat completions, or the script. */
function modelOfEnvironment({ MODEL, OPENAI_BASE_URL, OPENAI_API_KEY }: NodeJS.ProcessEnv): Exclude<LanguageModel, string> {
  if (MODEL === undefined) return scriptedModel()
  const address = OPENAI_BASE_URL === undefined ? {} : { baseURL: OPENAI_BASE_URL }
  return createOpenAI({ apiKey: OPENAI_API_KEY ?? '', ...address }).chat(MODEL)
}

if (import.meta.main) {
  const [message, workspace = 'agent-notes'] = process.argv.slice(2)
  const { mkdirSync } = await import('node:fs')
  mkdirSync(workspace, { recursive: true })
  await using agent = await openAgent({ model: modelOfEnvironment(process.env), workspace })
  if (message !== undefined && message !== '') console.log(await agent.say(message))
  else await chat(agent)
}

/** Answers line by line, until the input ends. What fails is said, and the chat goes on. */
async function chat(agent: Agent): Promise<void> {
  const { createInterface } = await import('node:readline')
  const input = createInterface({ input: process.stdin, ...(process.stdin.isTTY && { output: process.stdout }), prompt: '> ' })
  if (process.stdin.isTTY) input.prompt()
  for await (const line of input) {
    if (line.trim() !== '') console.log(await agent.say(line).catch((error: Error) => `Not answered: ${error.message}`))
    if (process.stdin.isTTY) input.prompt()
  }
}
