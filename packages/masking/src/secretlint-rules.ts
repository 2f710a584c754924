import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import type { SecretLintRuleCreator, SecretLintSourceCode } from '@secretlint/types'
import type { Range } from './ranges.ts'

/**
 * Rules we do not run. `filter-comments`: comments that switch rules off are ordinary text in a note. URLs with passwords: our
 * own shapes hide the password and leave the rest. Service accounts: the private key in them is hidden; the rule would hide the
 * whole text.
 */
const LEFT_OUT = ['filter-comments', 'basicauth', 'database-connection-string', 'gcp', 'privatekey']

/**
 * Finds what secretlint's recommended rules report. The rules run without secretlint's core, which leaves performance marks
 * behind that are never freed, and computes lines and columns that nobody needs here.
 */
export function secretlintRanges(content: string): readonly Range[] {
  const ranges: Range[] = []
  for (const rule of RULES) {
    const handler = rule.create(
      {
        sharedOptions: {},
        createTranslator: () => (messageId, data) => ({ message: '', messageId: String(messageId), data }),
        report: ({ range: [start, end] }) => ranges.push([start, end]),
        ignore: () => {},
      },
      {},
    )
    void handler.file?.(sourceOf(content))
  }
  return ranges
}

const RULES: readonly SecretLintRuleCreator<object>[] = rules.filter(
  ({ meta }) => !LEFT_OUT.includes(meta.id.replace('@secretlint/secretlint-rule-', '')),
)

function sourceOf(content: string): SecretLintSourceCode {
  const nowhere = { line: 1, column: 0 }
  return {
    content,
    hasBOM: false,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '.md',
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: nowhere, end: nowhere }),
    positionToIndex: () => 0,
    indexToPosition: () => nowhere,
  }
}
