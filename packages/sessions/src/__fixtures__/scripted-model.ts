import type { GenerateReply, GenerateRequest } from '@mnemark/spec'

/** A model that answers by a script and remembers what it was asked. */
export interface ScriptedModel {
  readonly requests: GenerateRequest[]
  generate(request: GenerateRequest): Promise<GenerateReply>
}

export function isFlush({ system }: GenerateRequest): boolean {
  return system.includes('notes of the day')
}

/** @param answer the text of a reply, or an error to reject with */
export function scriptedModel(answer: (request: GenerateRequest, count: number) => string | Error): ScriptedModel {
  const requests: GenerateRequest[] = []
  return {
    requests,
    generate: async (request) => {
      requests.push(request)
      const text = answer(request, requests.length)
      if (text instanceof Error) throw text
      return { text, finishReason: 'stop' }
    },
  }
}

/** A summary of some words of the conversation, worded differently every time. */
export function summaryOf({ prompt }: GenerateRequest, count: number): string {
  const words = [...new Set(prompt.slice(prompt.indexOf('<conversation>')).match(/\p{L}{4,}/gu))].slice(0, 25)
  return `## Summary ${count}\n\nSo far this was said, in the ${count}th wording of it: ${words.join(' ')}; all of it is to be kept in mind from here on.`
}
