import { ConfigError } from '@mnemark/spec'
import type { Config } from '../schema/config.ts'
import { listed } from '../schema/fault-list.ts'
import { findUnhonouredKeys, findUnknownKeys } from './known-keys.ts'
import { checkConfig, knownKeys } from '../schema/schema.ts'
import type { SchemaIssue } from '../schema/schema.ts'
import { show } from '../files/show-value.ts'
import { explainUnknownKeys } from './explain-unknown-keys.ts'

export interface ReadConfig {
  readonly config: Config
  /** Unknown and misplaced keys, for people. */
  readonly warnings: readonly string[]
  /** Known keys that have no effect in this version. */
  readonly notHonoured: readonly string[]
}

/** Parses and checks the text of a configuration file. Throws ConfigError with the key, the value and what is allowed. */
export async function readConfig(text: string, file: string): Promise<ReadConfig> {
  const input = await parse(text.replace(/^\uFEFF/, ''), file)
  const checked = checkConfig(input)
  const tree = knownKeys()
  const unknown = findUnknownKeys(input, tree)
  const explanations = unknown.length === 0 ? [] : explainUnknownKeys(unknown, tree)
  if (!checked.isValid) {
    const isObject = checked.issues.every(({ key }) => key.length > 0)
    throw new ConfigError(
      'invalid-value',
      `${file}: ${listed([...checked.issues.map(describeIssue), ...(isObject ? explanations : [])])}`,
    )
  }
  return {
    config: checked.config,
    warnings: explanations.map((explanation) => `${file}: ${explanation}`),
    notHonoured: findUnhonouredKeys(input, tree),
  }
}

async function parse(text: string, file: string): Promise<unknown> {
  try {
    // Plain JSON needs no library, and every command reads this file.
    return JSON.parse(text)
  } catch {
    const { default: json5 } = await import('json5')
    try {
      return json5.parse(text)
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^JSON5: /, '') : String(error)
      throw new ConfigError('invalid-value', `${file} is not JSON5: ${reason}`, { cause: error })
    }
  }
}

function describeIssue(issue: SchemaIssue): string {
  const key = issue.key.join('.')
  if (key === '') return `the file holds ${show(issue.value)}; allowed: an object`
  const value = isSecret(issue.key) ? 'a value of another kind' : show(issue.value)
  return `${key} is ${value}; allowed: ${issue.allowed}`
}

function isSecret(key: SchemaIssue['key']): boolean {
  return key.some((part) => /(?:key|token|secret|password|headers)$/i.test(String(part)))
}
