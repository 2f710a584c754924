import { expect, test } from 'vitest'
import type { PlaceProbe } from './check-place.ts'
import { checkPlace } from './check-place.ts'

function probe(type: number | null, ...present: readonly string[]): PlaceProbe {
  return { fileSystemType: () => type, exists: (path) => present.includes(path) }
}

const EXT4 = 0xef53

test('an index on a network file system is a warning that names it', () => {
  expect(checkPlace('/srv/notes/.mnemark/main.sqlite', probe(0x6969))).toMatchObject({
    name: 'place',
    status: 'warning',
    message: expect.stringContaining('NFS'),
    next: expect.stringContaining('--state'),
  })
  for (const type of [0xfe534d42, 0xff534d42, 0x65735546, 0x01021997])
    expect(checkPlace('/srv/a.sqlite', probe(type))?.status).toBe('warning')
})

test('an index in a synced folder is a warning, known by the name of a folder or by what a sync program leaves', () => {
  const service = (file: string, ...present: readonly string[]) => checkPlace(file, probe(EXT4, ...present))?.message ?? null
  expect(service('/home/ann/Dropbox (Team)/notes/.mnemark/main.sqlite')).toContain('Dropbox')
  expect(service('/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/n/.mnemark/main.sqlite')).toContain('iCloud')
  expect(service('/home/ann/OneDrive - Firm/n/.mnemark/main.sqlite')).toContain('OneDrive')
  expect(service('/home/ann/notes/.mnemark/main.sqlite', '/home/ann/notes/.stfolder')).toContain('Syncthing')
  for (const file of [
    '/home/ann/notes/.mnemark/main.sqlite',
    '/home/ann/boxes/megaphone/a.sqlite',
    '/srv/dropbox-alternatives/a.sqlite',
  ])
    expect(service(file)).toBeNull()
})

test('where the system does not tell, nothing is said', () => {
  expect(checkPlace('/srv/a.sqlite', probe(null))).toBeNull()
})
