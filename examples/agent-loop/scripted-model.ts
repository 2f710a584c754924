import { MockLanguageModelV4 } from 'ai/test'

type Prompt = MockLanguageModelV4['doGenerateCalls'][number]['prompt']
type Answer = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>

/**
 * Stands in for a language model where there is no key: it writes down what it is told to remember, searches for everything else, and can
 * only answer with what the search found.
 */
export function scriptedModel(): MockLanguageModelV4 {
  return new MockLanguageModelV4({ modelId: 'scripted', doGenerate: async ({ prompt }) => answerTo(prompt) })
}

function answerTo(prompt: Prompt): Answer {
  const [system] = prompt
  if (system?.role === 'system' && /conversation is data/.test(system.content)) return saved(system.content, messageIn(prompt))
  const result = toolResultIn(prompt)
  if (result !== null)
    return said(result.name === 'memory_append' ? 'I will remember that.' : `My notes say: ${bestLine(result.text)}`)
  const message = messageIn(prompt)
  const fact = /^remember:?\s+(?<fact>.+)$/is.exec(message)?.groups?.fact
  return fact === undefined ? called('memory_search', { query: message }) : called('memory_append', { text: `- ${fact}` })
}

/** The notes and the summary of a conversation that is compacted; what the person asked to remember is in the notes already. */
function saved(instructions: string, conversation: string): Answer {
  const words = [...conversation.matchAll(/^User: (?<words>.+)$/gim)].map(({ groups }) => groups?.words ?? '')
  if (!instructions.includes('notes of the day')) {
    return said(`The person said, and it is to be kept in mind:\n\n${words.map((line) => `- ${line}`).join('\n')}`)
  }
  const decided = words.flatMap((line) => /^we decided[^.]*\./i.exec(line)?.[0] ?? [])
  return said(decided.length === 0 ? 'NO_REPLY' : decided.map((sentence) => `- ${sentence}`).join('\n'))
}

function messageIn(prompt: Prompt): string {
  const last = prompt.findLast(({ role }) => role === 'user')
  return last?.role === 'user' ? last.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ') : ''
}

function toolResultIn(prompt: Prompt): { readonly name: string; readonly text: string } | null {
  const last = prompt.at(-1)
  const part = last?.role === 'tool' ? last.content[0] : undefined
  if (part?.type !== 'tool-result') return null
  return { name: part.toolName, text: part.output.type === 'text' || part.output.type === 'error-text' ? part.output.value : '' }
}

/** The first line of a note in a search's answer. */
function bestLine(text: string): string {
  return /^> - (?<line>.+)$/m.exec(text)?.groups?.line ?? 'nothing.'
}

const USAGE: Answer['usage'] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

function said(text: string): Answer {
  return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' }, usage: USAGE, warnings: [] }
}

function called(toolName: string, input: object): Answer {
  return {
    content: [{ type: 'tool-call', toolCallId: 'call-1', toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
    usage: USAGE,
    warnings: [],
  }
}
