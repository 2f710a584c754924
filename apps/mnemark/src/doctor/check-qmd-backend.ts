import { checkQmd } from '@mnemark/store-qmd'
import type { Check } from './check.ts'
import { findQmdPlace } from '../qmd/qmd-place.ts'
import type { QmdAgent } from '../qmd/qmd-place.ts'

/** Checks the requirements of QMD. */
export async function checkQmdBackend(settings: QmdAgent): Promise<readonly Check[]> {
  const { command, searchMode } = settings.qmd
  const checks = await checkQmd({ ...findQmdPlace(settings), command, searchMode })
  return checks.map((check) => ({ name: 'qmd', ...check, message: check.message.replace(/^qmd: /, '') }))
}
