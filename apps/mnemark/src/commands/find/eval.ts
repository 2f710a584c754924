import { resolve } from 'node:path'
import type { Invocation } from '../../command.ts'
import { compareSettings, settingsToCompare } from '../../eval/compare-settings.ts'
import type { SettingReport } from '../../eval/compare-settings.ts'
import { makeQuestions } from '../../eval/make-questions.ts'
import type { Question } from '../../eval/question.ts'
import { readQuestions } from '../../eval/read-questions.ts'
import { EXIT } from '../../exit-code.ts'
import type { ExitCode } from '../../exit-code.ts'
import { settleFirstIndex } from '../../memory/index/first-index.ts'
import { requireMemory } from '../../memory/open/memory-off.ts'
import { openMemory } from '../../memory/open/open-memory.ts'
import { stoppableSync } from '../../memory/fresh/stoppable-sync.ts'
import type { OpenMemory } from '../../memory/open/open-memory.ts'
import { type EvalDocument, printEval } from '../../printing/print-eval.ts'
import { withProgress } from '../../terminal/progress.ts'
import { commandSettings } from '../command-settings.ts'

/** Measures how well one's own notes are found, with questions from a file or from the notes. Exit code 1 where there is no question. */
export async function evaluate(invocation: Invocation): Promise<ExitCode> {
  const { options, console, currentFolder } = invocation
  const file = options.get('questions')
  const given = file === undefined ? undefined : await readQuestions(resolve(currentFolder, file))
  const settings = await commandSettings(invocation)
  requireMemory(settings)
  await settleFirstIndex(settings, { console, isAgreed: options.has('yes') })
  const open = await openMemory(settings, { isBuiltInOnly: true })
  try {
    const { degraded } = await stoppableSync({ open, settings, console }, { reason: 'manual' })
    for (const { message } of [...open.takeRepairs(), ...degraded]) console.note(`mnemark: ${message}`)
    const questions = given ?? (await questionsOf(open))
    if (questions.length === 0) {
      console.document({ questions: 0, byKind: {}, byLanguage: {}, settings: [] })
      console.note('mnemark: the notes have no heading, name or day to ask for; write questions of your own: mnemark eval --help')
      return EXIT.nothing
    }
    const document = describe(questions, await compare(open, { questions, agentId: settings.agentId, console }))
    console.document(document)
    if (!console.isJson) printEval(console, document)
    return EXIT.done
  } finally {
    await open.close()
  }
}

async function questionsOf({ store }: OpenMemory): Promise<readonly Question[]> {
  const snapshot = await store.snapshot()
  try {
    return await makeQuestions(snapshot)
  } finally {
    snapshot.release()
  }
}

function compare(
  { memory, chain }: OpenMemory,
  {
    questions,
    agentId,
    console,
  }: { readonly questions: readonly Question[]; readonly agentId: string } & Pick<Invocation, 'console'>,
): Promise<readonly SettingReport[]> {
  const settings = settingsToCompare(chain.providers.length > 0)
  const total = settings.length * questions.length
  return withProgress(console, (onProgress) =>
    compareSettings(settings, {
      memory,
      agentId,
      questions,
      onQuestion: (done) => onProgress({ phase: 'search', done, total }),
    }),
  )
}

function describe(questions: readonly Question[], settings: readonly SettingReport[]): EvalDocument {
  const count = (read: (question: Question) => string): Readonly<Record<string, number>> =>
    Object.fromEntries(Object.entries(Object.groupBy(questions, read)).map(([key, group = []]) => [key, group.length]))
  return {
    questions: questions.length,
    byKind: count(({ from }) => from),
    byLanguage: count(({ language }) => language),
    settings,
  }
}
