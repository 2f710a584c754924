import type { CallerContext } from '@mnemark/spec'
import { describe, expect, test } from 'vitest'
import { judgeScope, namesCaller, type Scope } from './judge-scope.ts'

const DIRECT_CHATS: Scope = { default: 'deny', rules: [{ action: 'allow', match: { chatType: 'direct' } }] }

function caller(sessionKey?: string, more: Partial<CallerContext> = {}): CallerContext {
  return { agentId: 'main', ...(sessionKey === undefined ? {} : { sessionKey }), ...more }
}

describe('what a session key tells', () => {
  test.each([
    ['agent:main:main', 'direct', null],
    ['main', 'direct', null],
    ['agent:work:telegram:direct:42', 'direct', 'telegram'],
    ['agent:work:telegram:dm:42', 'direct', 'telegram'],
    ['agent:main:WhatsApp:Group:1203@g.us', 'group', 'whatsapp'],
    ['agent:main:slack:channel:C01:thread:17', 'channel', 'slack'],
    ['discord:channel:7', 'channel', 'discord'],
    ['group:77', 'group', null],
    ['agent:main:cron:nightly', null, null],
    ['hook:2f6c', null, null],
    ['agent:main:subagent:9', null, null],
    ['channel', null, null],
    ['', null, null],
  ])('%s', (key, chatType, channel) => {
    expect(judgeScope({}, caller(key))).toEqual({ isAllowed: false, chatType, channel })
  })

  test('what the caller says of itself wins', () => {
    const told = caller('agent:main:slack:channel:C01', { chatType: 'group', channel: 'Matrix' })
    expect(judgeScope({}, told)).toMatchObject({ chatType: 'group', channel: 'matrix' })
  })
})

describe('P105: the key of a group stays one', () => {
  test.each([
    ['agent:main:telegram:group:1', 'group'],
    ['agent:main:slack:channel:C01:thread:17', 'channel'],
    ['telegram:work:group:1', 'group'],
    ['group:77', 'group'],
    ['agent:main:main', 'direct'],
    ['agent:main:telegram:direct:42', 'direct'],
    ['agent:main:cron:nightly', 'direct'],
  ] as const)('%s with chat type direct is %s', (key, chatType) => {
    expect(judgeScope({}, caller(key, { chatType: 'direct' }))).toMatchObject({ chatType })
  })

  test('only a rule that names the caller opens to it by name', () => {
    const group = caller('agent:main:telegram:group:1')
    const names = (scope: Scope): boolean => namesCaller(scope, group)
    expect(names({ default: 'allow' })).toBe(false)
    expect(names({ rules: [{ action: 'allow' }] })).toBe(false)
    expect(names({ rules: [{ action: 'allow', match: {} }] })).toBe(false)
    expect(names({ default: 'allow', rules: [{ action: 'deny', match: { chatType: 'group' } }] })).toBe(false)
    expect(names({ rules: [{ action: 'allow', match: { chatType: 'group' } }] })).toBe(true)
    expect(names({ rules: [{ action: 'allow', match: { keyPrefix: 'telegram:' } }] })).toBe(true)
  })
})

describe('rules', () => {
  const isAllowed = (scope: Scope, key?: string, more?: Partial<CallerContext>): boolean =>
    judgeScope(scope, caller(key, more)).isAllowed

  test('without any, direct chats alone pass, and nobody unknown does', () => {
    expect(isAllowed(DIRECT_CHATS, 'agent:main:main')).toBe(true)
    expect(isAllowed(DIRECT_CHATS, undefined, { chatType: 'direct' })).toBe(true)
    for (const key of ['agent:main:slack:channel:1', 'agent:main:x:group:1', 'cron:nightly', 'hook:1', undefined]) {
      expect(isAllowed(DIRECT_CHATS, key)).toBe(false)
    }
  })

  test('the first that fits decides', () => {
    const rules = [
      { action: 'deny', match: { channel: 'telegram' } },
      { action: 'allow', match: { chatType: 'direct' } },
    ] as const
    expect(isAllowed({ rules }, 'agent:main:telegram:direct:1')).toBe(false)
    expect(isAllowed({ rules: rules.toReversed() }, 'agent:main:telegram:direct:1')).toBe(true)
  })

  test('every part of a match has to fit; an empty one fits everybody', () => {
    const both: Scope = { rules: [{ action: 'allow', match: { channel: 'slack', chatType: 'channel' } }] }
    expect(isAllowed(both, 'agent:main:slack:channel:1')).toBe(true)
    expect(isAllowed(both, 'agent:main:slack:direct:1')).toBe(false)
    expect(isAllowed(both, 'agent:main:discord:channel:1')).toBe(false)
    expect(isAllowed({ rules: [{ action: 'allow', match: {} }] }, undefined)).toBe(true)
    expect(isAllowed({ default: 'allow', rules: [{ action: 'deny' }] }, 'main')).toBe(false)
  })

  test.each([
    ['keyPrefix is compared without the agent, in lower case', { keyPrefix: 'Slack:Channel:' }, true],
    ['keyPrefix does not see the agent', { keyPrefix: 'main:slack:' }, false],
    ['rawKeyPrefix sees the agent', { rawKeyPrefix: 'agent:main:slack:' }, true],
    ['rawKeyPrefix of another agent', { rawKeyPrefix: 'agent:work:slack:' }, false],
    ['rawKeyPrefix without the agent', { rawKeyPrefix: 'slack:' }, false],
    ['the older keyPrefix with the agent in it', { keyPrefix: 'agent:main:slack:' }, true],
    ['the older keyPrefix of another agent', { keyPrefix: 'agent:work:slack:' }, false],
  ])('%s', (_, match, fits) => {
    expect(isAllowed({ rules: [{ action: 'allow', match }] }, 'agent:main:slack:channel:c01')).toBe(fits)
  })

  test('a key prefix fits nobody without a key', () => {
    expect(isAllowed({ rules: [{ action: 'allow', match: { keyPrefix: 'slack:' } }] }, undefined, { chatType: 'direct' })).toBe(
      false,
    )
  })
})
