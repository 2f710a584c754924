import type { CallerContext } from '@mnemark/spec'
import type { Options } from '../command-line/command-line.ts'
import { oneOf } from '../command-line/option-values.ts'

/** Reads the caller from `--session-key`, `--chat-type` and `--channel`. Throws CommandError for an unknown chat type. */
export function readCaller(options: Options): Omit<CallerContext, 'agentId'> {
  const sessionKey = options.get('session-key')
  const chatType = oneOf(options, 'chat-type', ['direct', 'group', 'channel'])
  const channel = options.get('channel')
  return {
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(chatType === undefined ? {} : { chatType }),
    ...(channel === undefined ? {} : { channel }),
  }
}
