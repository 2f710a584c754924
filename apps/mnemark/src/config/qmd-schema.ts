import * as v from 'valibot'
import { between, flag, key, object, oneOf, text, whole } from './schema-values.ts'
import { scope } from './scope-schema.ts'

/** The keys of `memory.qmd`. */
export const qmd: v.GenericSchema = key(
  object({
    command: text,
    searchMode: oneOf(['search', 'vsearch', 'query']),
    includeDefaultMemory: flag,
    paths: v.array(
      v.looseObject({ path: text, ...object({ pattern: text, name: text }).entries }, 'an object with a path'),
      'a list of objects with a path',
    ),
    sessions: object({ enabled: flag, retentionDays: between(0), exportDir: text }),
    update: object({
      interval: text,
      debounceMs: whole(0),
      onBoot: flag,
      waitForBootSync: flag,
      embedInterval: text,
      commandTimeoutMs: whole(1),
      updateTimeoutMs: whole(1),
      embedTimeoutMs: whole(1),
    }),
    limits: object({ maxResults: whole(1), maxSnippetChars: whole(1), maxInjectedChars: whole(1), timeoutMs: whole(1) }),
    scope,
  }),
  { means: 'the `qmd` program', isUnused: true },
)
