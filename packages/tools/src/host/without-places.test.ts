import { expect, test } from 'vitest'
import { placesIn, withoutPlaces } from './without-places.ts'

const PLACES = placesIn(['/home/huda/my notes', 'C:\\Users\\Huda B\\notes'])

test.each([
  ['The index /home/huda/x.sqlite is busy.', 'The index … is busy.'],
  ['Cannot open "/home/huda/my notes/.mnemark": EACCES', 'Cannot open "…": EACCES'],
  ['ENOENT:/var/x', 'ENOENT:…'],
  ['`/var/x`, [/var/y] and </var/z>', '`…`, […] and <…>'],
  ['file:///home/huda/x.md is gone', '… is gone'],
  ['~/notes is gone', '… is gone'],
  ['C:\\Users\\Huda B\\notes\\a.md, D:/x', '…, …'],
  ['\\\\server\\share\\x is gone', '… is gone'],
  ['المجلد "/home/هدى/ملاحظات" غير موجود', 'المجلد "…" غير موجود'],
  ['https://example.com/a answered 401', 'https://example.com/a answered 401'],
  ['memory/net.md#L1-L3 and 1/2', 'memory/net.md#L1-L3 and 1/2'],
])('a failure is told without places of this machine: %s', (message, told) => {
  expect(withoutPlaces({ all: [message] }, PLACES)).toEqual({ all: [told] })
})
