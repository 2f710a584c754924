import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readPassages } from './passage-tasks.ts'
import type { EvaluationSet, Split } from './task.ts'
import { readWorkspace, type UnitKind } from './workspace-tasks.ts'

/** Chats whose questions may be looked at while rules are tuned; the others are for the last check. */
const TUNE_CHATS: ReadonlySet<string> = new Set(['conv-26', 'conv-30', 'conv-41', 'conv-42', 'conv-43'])

const WORKSPACES: readonly { readonly folder: string; readonly language: string; readonly split: (name: string) => Split }[] = [
  { folder: 'locomo', language: 'en', split: (name) => (TUNE_CHATS.has(name) ? 'tune' : 'final') },
  { folder: 'memorybank-en', language: 'en', split: () => 'tune' },
  { folder: 'memorybank-zh', language: 'zh', split: () => 'tune' },
]
const PASSAGES: Readonly<Record<string, Split>> = {
  'tydiqa-goldp': 'tune',
  cmrc2018: 'tune',
  xquad: 'final',
  arcd: 'final',
  jsquad: 'final',
  persianqa: 'final',
}

/** Names of the JSON files of a folder, without their ending; none where there is no folder. */
export function jsonNames(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted()
}

function workspaceSets(data: string, split: Split, kind: UnitKind): readonly EvaluationSet[] {
  return WORKSPACES.flatMap(({ folder, language, split: splitOf }) => {
    const names = jsonNames(join(data, folder)).filter((name) => splitOf(name) === split)
    if (names.length === 0) return []
    const load = () => names.map((name) => readWorkspace(join(data, folder, `${name}.json`), kind))
    return [{ name: `${folder} ${kind}`, language, split, load }]
  })
}

function passageSets(data: string, split: Split): readonly EvaluationSet[] {
  return Object.entries(PASSAGES)
    .filter(([, own]) => own === split)
    .flatMap(([folder]) =>
      jsonNames(join(data, folder)).map((language) => ({
        name: `${folder} ${language}`,
        language,
        split,
        load: () => [readPassages(join(data, folder, `${language}.json`))],
      })),
    )
}

/** The sets of a split that the data folder holds, workspaces first. */
export function evaluationSets(data: string, split: Split | 'all'): readonly EvaluationSet[] {
  const splits: readonly Split[] = split === 'all' ? ['tune', 'final'] : [split]
  return splits.flatMap((own) => [
    ...workspaceSets(data, own, 'chunks'),
    ...workspaceSets(data, own, 'turns'),
    ...passageSets(data, own),
  ])
}
