import type { SearchHit } from '@mnemark/spec'
import type { Invocation } from '../../command.ts'
import { openInEditor } from '../../editor/open-in-editor.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { CommandError } from '../../failure.ts'
import { settleFirstIndex } from '../../memory/index/first-index.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import type { OpenMemory } from '../../memory/open/open-memory.ts'
import { fromHere } from '../../printing/from-here.ts'
import { printableName } from '../../terminal/isolate.ts'
import { withProgress } from '../../terminal/progress.ts'
import { pickHit } from '../../picker/pick-hit.ts'
import { commandSettings } from '../command-settings.ts'

const SHOWN_HITS = 20

/** Searches while a person types, and opens what they choose; on a pipe its place is printed. */
export async function pick(invocation: Invocation): Promise<ExitCode> {
  const { words, options, console } = invocation
  if (!console.canAsk) {
    throw new CommandError(
      'no-terminal',
      'pick needs a person who types: stdin and stderr at a terminal, without --json, --quiet or CI',
      {
        next: 'mnemark search answers programs; on a pipe, mnemark pick prints the place that is chosen at the terminal.',
      },
    )
  }
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  await settleFirstIndex(settings, { console, isAgreed: options.has('yes') })
  const open = await openMemory(settings, { vectors: 'none', isBuiltInOnly: true })
  try {
    await withProgress(console, (onProgress) => open.memory.sync({ reason: 'start', onProgress }))
    const filter = { sources: ['memory'], ...(options.has('path') ? { paths: options.all('path') } : {}) }
    const hit = await pickHit(words.join(' '), async (text, signal) => {
      const caller = { agentId: settings.agentId }
      const overrides = { keywordsOnly: true }
      return (await open.memory.search({ text, filter, limit: SHOWN_HITS, overrides, caller, signal })).hits
    })
    return hit === null ? EXIT.left : await use(hit, open, invocation)
  } finally {
    await open.close()
  }
}

async function use(hit: SearchHit, { notes }: OpenMemory, invocation: Invocation): Promise<ExitCode> {
  const { console, options, environment, currentFolder } = invocation
  const place = await notes.place(hit.path)
  if (place === null) {
    console.note(`mnemark: ${printableName(hit.path)} is gone`)
    return EXIT.nothing
  }
  const hasEditor = [environment.VISUAL, environment.EDITOR].some((each) => (each ?? '').trim() !== '')
  if (console.isTerminal && hasEditor && !options.has('print')) {
    await openInEditor({ file: place.file, line: hit.line, environment, isJson: false })
    return EXIT.done
  }
  console.print(`${fromHere(place.file, currentFolder)}:${hit.line}`)
  if (console.isTerminal && !options.has('print')) console.note('mnemark: VISUAL or EDITOR would name the editor that opens it')
  return EXIT.done
}
