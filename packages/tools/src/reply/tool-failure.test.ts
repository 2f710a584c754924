import { StoreError } from '@mnemark/spec'
import { expect, test } from 'vitest'
import type { Caller } from '../host/host.ts'
import { memoryTools } from '../memory-tools.ts'
import { memoryHost } from '../host/memory-host.ts'

const fail = async (): Promise<never> => {
  throw new StoreError('busy', 'The index /home/huda/notes/x.sqlite is busy.')
}
const memory = {
  specVersion: 'v1',
  name: 't',
  search: fail,
  list: fail,
  read: fail,
  sync: fail,
  status: fail,
  close: async () => {},
} as const

const toldTo = async (caller: Caller): Promise<readonly string[]> => {
  const { call, aiSdk } = memoryTools({ host: memoryHost({ memory }), caller })
  const answers = await Promise.all([
    call('memory_search', { query: 'x' }),
    call('memory_get', { path: 'x.md' }),
    call('memory_list', {}),
    call('memory_recent', {}),
  ])
  const thrown = await Promise.resolve(aiSdk['memory_search']?.execute({ query: 'x' }, {})).catch(String)
  return [...answers.map((answer) => JSON.stringify(answer)), String(thrown)]
}

test.each([{ chatType: 'group' }, { chatType: 'channel' }] as const)(
  'P74: no failure tells %j where things lie',
  async (caller) => {
    for (const told of await toldTo(caller))
      expect([told.includes('huda'), told.includes('The index … is busy.')]).toEqual([false, true])
  },
)

test('P74: the owner is told', async () => {
  for (const told of await toldTo({ chatType: 'direct' })) expect(told).toContain('/home/huda/notes/x.sqlite')
})
