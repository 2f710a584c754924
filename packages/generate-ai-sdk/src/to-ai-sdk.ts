import type { TextGenerator } from '@mnemark/spec'
import { knownToAISDK } from '@mnemark/provider-kit'
import type { AISDKSpecificationVersion } from './ai-sdk-model.ts'
import { type AISDKGivenCall, readCall } from './read-call.ts'
import { type AISDKReplyOf, type AISDKStreamPartOf, replyOf } from './reply-form.ts'

export interface ToAISDKOptions<Version extends AISDKSpecificationVersion = AISDKSpecificationVersion> {
  /** `v2` for `ai` 5, `v3` for `ai` 6. Default `v4`, for `ai` 7. */
  readonly specificationVersion?: Version | undefined
}

/** A language model as `generateText` and `streamText` of the AI SDK take it. */
export interface AISDKModelOf<Version extends AISDKSpecificationVersion> {
  readonly specificationVersion: Version
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls: Record<string, RegExp[]>
  doGenerate(call: AISDKGivenCall): Promise<AISDKReplyOf<Version>>
  doStream(call: AISDKGivenCall): Promise<{ stream: ReadableStream<AISDKStreamPartOf<Version>> }>
}

/**
 * A language model of the AI SDK on a generator. A stream is the whole answer in one piece. Its errors are `ProviderError`s that the AI
 * SDK recognises as its own, so that it retries what may be retried, after the wait that was asked for.
 */
export function toAISDK<const Version extends AISDKSpecificationVersion = 'v4'>(
  generator: TextGenerator,
  options: ToAISDKOptions<Version> = {},
): AISDKModelOf<NoInfer<Version>> {
  // If the option is left out, the type parameter has its default.
  const specificationVersion = options.specificationVersion ?? ('v4' as Version)
  const doGenerate = (call: AISDKGivenCall): Promise<AISDKReplyOf<Version>> =>
    generated(generator, call, specificationVersion).catch((error: unknown) => {
      throw knownToAISDK(error, generator.endpoint)
    })
  return {
    specificationVersion,
    provider: `mnemark.${generator.provider ?? 'generator'}`,
    modelId: generator.model,
    supportedUrls: {},
    doGenerate,
    doStream: async (call) => ({ stream: streamOf(await doGenerate(call)) }),
  }
}

async function generated<Version extends AISDKSpecificationVersion>(
  generator: TextGenerator,
  call: AISDKGivenCall,
  version: Version,
): Promise<AISDKReplyOf<Version>> {
  const { request, ignored } = readCall(call, generator)
  return replyOf(await generator.generate(request), ignored, version)
}

function streamOf<Version extends AISDKSpecificationVersion>(
  reply: AISDKReplyOf<Version>,
): ReadableStream<AISDKStreamPartOf<Version>> {
  const { content, warnings, usage, finishReason } = reply
  const parts: AISDKStreamPartOf<Version>[] = [
    { type: 'stream-start', warnings },
    ...content.flatMap(({ text }, index): AISDKStreamPartOf<Version>[] => {
      const id = String(index)
      return [
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: text },
        { type: 'text-end', id },
      ]
    }),
    { type: 'finish', usage, finishReason },
  ]
  return ReadableStream.from(parts)
}
