import { estimateTokens } from '@mnemark/core/text'

const LONGEST_TOKENS = 160
const COMMAND =
  /^(?:[$#>] |(?:sudo|cd|rm|cp|mv|ls|cat|git|npm|npx|pnpm|yarn|pip3?|apt(?:-get)?|brew|docker|kubectl|curl|wget|make|chmod|ssh|echo|export) \S)/
const SHELL = /(?:^|\s)(?:&&|\|\||\||>>?|2>&1)\s|;\s*$|\s--[a-z][a-z-]+(?:[= ]|$)/
const OPEN_END = /[:：,،、;；(（[{–—-]$|(?:\.\.\.|…)$/u
const OPEN_WORD =
  /(?:^|\s)(?:and|or|but|because|with|the|a|an|to|of|for|und|oder|aber|weil|mit|y|o|pero|porque|con|et|ou|mais|و|أو|لكن)$/iu
/** Lines that programs write about their own work. */
const OWN =
  /\b(?:candidate|confidence|status|score|recalls?|staged|promoted|evidence)\s*[:=]\s*\S|mnemark:|\b(?:NO_REPLY|HEARTBEAT_OK)\b/i

/**
 * Whether a text is no statement to remember: a command, a heading or half a sentence, the status of a program, code, or more than 160 tokens.
 */
export function isScrap(text: string): boolean {
  const plain = text.trim()
  const letters = plain.match(/\p{L}/gu)?.length ?? 0
  if (letters < 2 || (isSpaced(plain) && !/\S\s+\S/u.test(plain))) return true
  if (letters * 2 < plain.replace(/\s/gu, '').length) return true
  return (
    COMMAND.test(plain) ||
    SHELL.test(plain) ||
    OPEN_END.test(plain) ||
    OPEN_WORD.test(plain) ||
    OWN.test(plain) ||
    !/^[\p{L}\p{N}"“«「('@[]/u.test(plain) ||
    plain.includes('```') ||
    estimateTokens(plain) > LONGEST_TOKENS
  )
}

function isSpaced(text: string): boolean {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text)
}
