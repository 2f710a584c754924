import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import type { SecretLintRuleCreator, SecretLintSourceCode } from '@secretlint/types'
import type { Range } from './ranges.ts'

/**
 * Comments that switch rules off are words of a note like any other. Passwords in addresses are hidden by shapes of our own, which leave the
 * rest of the address; a service account's file is one by a private key in it, where that rule would take the whole text.
 */
const LEFT_OUT = ['filter-comments', 'basicauth', 'database-connection-string', 'gcp', 'privatekey']

/**
 * What secretlint's recommended rules report. They are called without its core, which measures each run with marks that are never freed
 * and works out lines and columns that nobody asks for here.
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
