import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSilenceFilter, hearReply } from './silence.ts'

const SHAPES = [
  ['NO_REPLY', 'silent', ''],
  ['no_reply\n\nNO_REPLY', 'silent', ''],
  ['**NO_REPLY**', 'silent', ''],
  ['`NO_REPLY`.', 'silent', ''],
  ['NO_REPLY NO_REPLY', 'silent', ''],
  ['Saved two notes.\n\nNO_REPLY', 'text', 'Saved two notes.'],
  ['Saved two notes. NO_REPLY', 'text', 'Saved two notes.'],
  ['Saved.\n**NO_REPLY**\nNO_REPLY', 'text', 'Saved.'],
  ['What does NO_REPLY mean?', 'text', 'What does NO_REPLY mean?'],
  ['The token is NO_REPLY', 'text', 'The token is NO_REPLY'],
  ['NO, thanks', 'text', 'NO, thanks'],
  ['', 'empty', ''],
  [' \n', 'empty', ''],
] as const

test.each(SHAPES)('%j is heard as %s', (reply, kind, text) => expect(hearReply(reply)).toEqual({ kind, text }))

test('a stream shows what the whole reply would, and never a part of the token before it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SHAPES.map(([reply]) => reply)),
      fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 40 }),
      (reply, cuts) => {
        const filter = createSilenceFilter()
        let shown = ''
        let at = 0
        for (const cut of [...cuts, reply.length]) {
          shown += filter.push(reply.slice(at, at + cut))
          at += cut
          expect(hearReply(reply).text.startsWith(shown.trimEnd())).toBe(true)
        }
        expect((shown + filter.end()).trim()).toBe(hearReply(reply).text.trim())
      },
    ),
  )
})
