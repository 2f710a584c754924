import type { MemoryBackend, SearchOverrides, SearchReply } from '@mnemark/spec'
import type { Question } from './question.ts'
import { meanScore, scoreAnswer } from './score.ts'
import type { Score } from './score.ts'

/** A named way to search. */
export interface Setting {
  readonly name: string
  readonly overrides: SearchOverrides
}

/** The results of one setting. */
export interface SettingReport {
  readonly setting: string
  /** How often each mode answered: shows if a setting fell short of its mode. */
  readonly modes: Readonly<Partial<Record<SearchReply['mode'], number>>>
  readonly all: Score
  readonly byLanguage: Readonly<Record<string, Score>>
  readonly byKind: Readonly<Partial<Record<Question['from'], Score>>>
  /** Milliseconds of one search: the median, and the 95th percentile. */
  readonly msP50: number
  readonly msP95: number
  /** Questions without a right place among ten hits. */
  readonly missed: readonly string[]
}

/** Keywords alone; with vectors both fusions; and the effect of diversity and age. */
export function settingsToCompare(hasVectors: boolean): readonly Setting[] {
  const vectors: readonly Setting[] = [
    { name: 'weighted', overrides: { fusion: 'weighted' } },
    { name: 'rrf', overrides: { fusion: 'rrf' } },
  ]
  return [
    { name: 'as configured', overrides: {} },
    { name: 'keywords', overrides: { keywordsOnly: true } },
    ...(hasVectors ? vectors : []),
    { name: 'mmr', overrides: { mmr: { enabled: true } } },
    { name: 'decay', overrides: { temporalDecay: { enabled: true } } },
  ]
}

interface Comparison {
  readonly memory: Pick<MemoryBackend, 'search'>
  readonly agentId: string
  readonly questions: readonly Question[]
  readonly onQuestion?: (done: number) => void
}

/** Asks every question once in each setting, one after the other. */
export async function compareSettings(settings: readonly Setting[], comparison: Comparison): Promise<readonly SettingReport[]> {
  const reports: SettingReport[] = []
  for (const [index, setting] of settings.entries()) {
    const before = index * comparison.questions.length
    reports.push(await runSetting(setting, { ...comparison, onQuestion: (done) => comparison.onQuestion?.(before + done) }))
  }
  return reports
}

interface Answer {
  readonly question: Question
  readonly score: Score
  readonly mode: SearchReply['mode']
  readonly ms: number
}

async function runSetting(
  { name, overrides }: Setting,
  { memory, agentId, questions, onQuestion }: Comparison,
): Promise<SettingReport> {
  const answers: Answer[] = []
  for (const question of questions) {
    const startedAtMs = performance.now()
    const { hits, mode } = await memory.search({ text: question.text, limit: 10, caller: { agentId }, overrides })
    answers.push({ question, score: scoreAnswer(hits, question), mode, ms: performance.now() - startedAtMs })
    onQuestion?.(answers.length)
  }
  const times = answers.map(({ ms }) => ms).toSorted((left, right) => left - right)
  return {
    setting: name,
    modes: Object.fromEntries(groups(answers, ({ mode }) => mode).map(([mode, group]) => [mode, group.length])),
    all: meanOf(answers),
    byLanguage: Object.fromEntries(
      groups(answers, ({ question }) => question.language).map(([key, group]) => [key, meanOf(group)]),
    ),
    byKind: Object.fromEntries(groups(answers, ({ question }) => question.from).map(([key, group]) => [key, meanOf(group)])),
    msP50: Math.round(times[Math.floor(times.length * 0.5)] ?? 0),
    msP95: Math.round(times[Math.floor(times.length * 0.95)] ?? 0),
    missed: answers.filter(({ score }) => score.mrrAt10 === 0).map(({ question }) => question.text),
  }
}

function groups(answers: readonly Answer[], read: (answer: Answer) => string): readonly (readonly [string, readonly Answer[]])[] {
  return Object.entries(Object.groupBy(answers, read)).map(([key, group = []]) => [key, group])
}

const meanOf = (answers: readonly Answer[]): Score => meanScore(answers.map(({ score }) => score))
