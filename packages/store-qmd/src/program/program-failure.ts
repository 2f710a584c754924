import { BackendError } from '@mnemark/spec'
import type { ProgramEnding } from '../process/run-program.ts'

/** Problems recognised by the program's messages. These are not shown: they may hold the query, or text of notes. */
const KNOWN: readonly (readonly [says: RegExp, meaning: string])[] = [
  [/NODE_MODULE_VERSION|ERR_DLOPEN_FAILED|invalid ELF header/, 'its native parts were built for another Node; install it again'],
  [/Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|is not built/, 'parts of it are missing; install it again'],
  [/SQLITE_BUSY|database is locked/, 'its index is in use by another process; it is tried again later'],
  [
    /SQLITE_CORRUPT|malformed|not a database/,
    'its index is damaged; delete the xdg-cache/qmd/index.sqlite of the agent, it is made again',
  ],
  [/ENOSPC|database or disk is full/, 'the disk is full'],
  [/EACCES|EPERM|SQLITE_READONLY|attempt to write a readonly/, 'it may not write its own folder'],
  [/Failed to parse .*\.ya?ml/, 'its configuration file cannot be read; `mnemark qmd env` says where it is'],
  [/Collection not found/, 'a collection it was asked for is not registered; `mnemark index` registers it'],
  [/huggingface|HF_ENDPOINT|ENOTFOUND|ECONNREFUSED|fetch failed/i, 'a model could not be fetched'],
  [/unsupported engine|requires Node|SyntaxError/, 'this Node is too old for it'],
]
const REFUSED =
  /unknown (?:option|flag|argument|command)|unrecognized (?:option|argument)|unexpected (?:option|argument)|unsupported option|invalid option|flag provided but not defined|ERR_PARSE_ARGS/i

/** The error for a call without an answer. `what` is the command, such as `search`. */
export function programFailure(what: string, ending: ProgramEnding, timeoutMs: number): BackendError {
  if (ending.ended === 'failed' || ending.code === 127) {
    const reason = ending.problem ?? 'its interpreter was not found'
    return new BackendError(
      'missing-program',
      `The qmd program cannot be started (${reason}). \`mnemark doctor\` says what it needs.`,
    )
  }
  if (ending.ended === 'timeout') {
    return new BackendError('timeout', `\`qmd ${what}\` did not end within ${timeoutMs} ms and was stopped.`)
  }
  if (ending.ended === 'too-much-output') {
    return new BackendError('bad-output', `\`qmd ${what}\` printed more than is ever needed and was stopped.`)
  }
  if (ending.ended === 'lost') return new BackendError('bad-output', `\`qmd ${what}\` was ended by something outside.`)
  const meaning = KNOWN.find(([says]) => says.test(ending.errorOutput) || says.test(ending.output))?.[1]
  const how = ending.killedBy === null ? `ended with code ${ending.code}` : `was ended by ${ending.killedBy}`
  const detail = meaning ?? 'to see why, run it by hand after `mnemark qmd env`'
  return new BackendError('bad-output', `\`qmd ${what}\` ${how}: ${detail}.`)
}

/** Whether the program rejected an option or command that its version does not know. */
export function isRefusal({ ended, code, output, errorOutput }: ProgramEnding): boolean {
  return ended === 'exited' && code !== 0 && (REFUSED.test(errorOutput) || REFUSED.test(output))
}
