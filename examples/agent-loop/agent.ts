import { generateText, isStepCount } from 'ai'
import type { LanguageModel } from 'ai'
import { openMemoryTools } from 'mnemark/tools'
import { scriptedModel } from './scripted-model.ts'

export interface Session {
  readonly model: LanguageModel
  /** The folder of the agent's notes. */
  readonly workspace: string
  readonly message: string
}

/** One session of an agent: it begins with what it knows, searches and writes its memory as it likes, and answers. Nothing else is kept. */
export async function runSession({ model, workspace, message }: Session): Promise<string> {
  await using memory = await openMemoryTools({ workspace, caller: { sessionKey: 'agent:main:main', chatType: 'direct' } })
  const known = await memory.context({ budgetTokens: 2_000 })
  const { text } = await generateText({
    model,
    instructions: ['You are a helpful agent. Answer in a sentence or two.', memory.guidance, known.text].join('\n\n'),
    prompt: message,
    tools: memory.aiSdk,
    stopWhen: isStepCount(8),
  })
  return text
}

if (import.meta.main) {
  const [message, workspace = 'agent-notes'] = process.argv.slice(2)
  if (message === undefined) {
    console.error('npm start -- MESSAGE [FOLDER]; MODEL names a model of the AI Gateway, else a script answers')
    process.exitCode = 2
  } else {
    const { mkdirSync } = await import('node:fs')
    mkdirSync(workspace, { recursive: true })
    console.log(await runSession({ model: process.env.MODEL ?? scriptedModel(), workspace, message }))
  }
}
