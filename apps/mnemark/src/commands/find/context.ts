import { dayBefore, dayInZone } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import { wholeNumber } from '../../command-line/option-values.ts'
import { buildStartupContext, DEFAULT_BUDGET_TOKENS, LEAST_BUDGET_TOKENS } from '../../context/startup-context.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { withoutForgotten } from '../../state/forgotten-notes.ts'
import { possibleIndexFiles } from '../../memory/index/index-place.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { forgottenNotes, openMemory, openNotes } from '../../memory/open/open-memory.ts'
import { recallFacts, recallForContext } from '../../operations/facts/recall-facts.ts'
import { printable, printableName } from '../../terminal/isolate.ts'
import { readCaller } from '../caller-options.ts'
import { commandSettings } from '../command-settings.ts'
import { requireScopes } from '../../memory/open/owner-caller.ts'

/** Prints what an agent reads when a session begins. Reads the files themselves: only a question needs the index. */
export async function context(invocation: Invocation): Promise<ExitCode> {
  const { options, console } = invocation
  const budgetTokens = wholeNumber(options, 'budget', LEAST_BUDGET_TOKENS) ?? DEFAULT_BUDGET_TOKENS
  const caller = readCaller(options)
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  // The scope rules for searching also decide who gets a start-up text.
  if (settings.scopes.length > 0) {
    requireScopes(settings, { ...caller, agentId: settings.agentId })
  }
  const today = dayInZone(Date.now(), settings.timeZone)
  const { source } = await openNotes(settings)
  const known = possibleIndexFiles(settings).reduce(
    (rest, file) => withoutForgotten(rest, forgottenNotes(settings, { file, isReadOnly: true })),
    source,
  )
  const asker = { ...caller, agentId: settings.agentId }
  const isMasking = options.has('mask')
  const { recalled, problems } = await recallForContext(options.get('question'), { budgetTokens }, async (asked) => {
    const open = await openMemory(settings, { isBuiltInOnly: true })
    try {
      return await recallFacts(asked, { views: open.views, settings, caller: asker, isMasking })
    } finally {
      await open.close()
    }
  })
  const startup = await buildStartupContext(known, {
    caller: asker,
    budgetTokens,
    recalled,
    days: { today, yesterday: dayBefore(today) },
    ...(isMasking ? { prepare: (await import('@mnemark/masking')).maskText } : {}),
  })
  const block = { ...startup, problems: [...problems, ...startup.problems] }
  console.document(block)
  if (block.text !== '') console.verbatim(console.hasColour ? printable(block.text) : block.text)
  for (const problem of block.problems) console.note(`mnemark: ${problem}`)
  for (const path of block.leftOut) console.note(`mnemark: no room for ${printableName(path)}; --budget gives more`)
  if (block.text === '') console.note('mnemark: there is nothing to begin with yet')
  return block.text === '' ? EXIT.nothing : EXIT.done
}
