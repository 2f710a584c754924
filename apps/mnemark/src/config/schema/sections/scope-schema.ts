import type { Scope } from '@mnemark/core/backend'
import * as v from 'valibot'
import { object, oneOf, text } from '../schema-values.ts'

const rule = v.looseObject(
  {
    action: oneOf(['allow', 'deny']),
    ...object({
      match: object({ chatType: oneOf(['direct', 'group', 'channel']), channel: text, keyPrefix: text, rawKeyPrefix: text }),
    }).entries,
  },
  'an object with an action',
)

/** Rules on who may search and read. */
export const scope: v.GenericSchema<unknown, Scope> = object({
  default: oneOf(['allow', 'deny']),
  rules: v.array(rule, 'a list of rules'),
})
