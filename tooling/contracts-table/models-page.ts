import { rowsBetween, replaced, section } from './generated-section.ts'
import type { Outcomes } from './outcomes.ts'
import { deviationLines, markdownOutcomes } from './render.ts'
import { type ModelContract, modelSuites } from './store-suites.ts'

export const MODELS_PAGE = 'docs/models.md'

/** The page with the table of one contract as it is now. Throws where a mark is missing. */
export function writtenModels(text: string, { section: name }: ModelContract, outcomes: Outcomes): string {
  const deviations = deviationLines(outcomes).map((line) => `- ${line}`)
  const words = deviations.length === 0 ? 'No deviations.' : `Deviations, each with its reason:\n\n${deviations.join('\n')}`
  return replaced({ path: MODELS_PAGE, text }, section(name), `${markdownOutcomes(outcomes)}\n\n${words}`)
}

/** The columns that the page has, and those it should have, without running anything. */
export function modelColumns(
  root: string,
  text: string,
  contract: ModelContract,
): Readonly<Record<'written' | 'actual', readonly string[]>> {
  const [[, ...written] = []] = rowsBetween(text, section(contract.section))
  return { written, actual: [...modelSuites(root, contract).keys()].toSorted() }
}
