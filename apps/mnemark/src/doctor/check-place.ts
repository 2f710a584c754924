import { existsSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Check } from './check.ts'

/** `f_type` of statfs(2) on Linux, for file systems whose locks do not reach every machine. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x786f4256, 'VirtualBox shared folders'],
  [0xbacbacbc, 'VMware shared folders'],
  [0x7c7c6673, 'Parallels shared folders'],
])

/** Folder names that sync programs use, with the service. */
const SYNCED_NAMES: readonly (readonly [name: RegExp, service: string])[] = [
  [/^Dropbox(?: |$)/i, 'Dropbox'],
  [/^OneDrive(?: |-|$)/i, 'OneDrive'],
  [/^(?:Google ?Drive|GoogleDrive-.*|My Drive)$/i, 'Google Drive'],
  [/^(?:Mobile Documents|iCloud ?Drive|com~apple~CloudDocs)$/i, 'iCloud Drive'],
  [/^(?:Nextcloud|ownCloud)$/i, 'Nextcloud or ownCloud'],
  [/^(?:pCloud ?Drive|MEGA|MEGAsync|Box|Box Sync|Seafile|Syncthing|Resilio Sync|Proton Drive)$/i, 'a sync program'],
]

/** Files and folders that sync programs leave at the root of a synced folder. */
const SYNC_MARKERS: readonly (readonly [name: string, service: string])[] = [
  ['.stfolder', 'Syncthing'],
  ['.dropbox.cache', 'Dropbox'],
  ['.dropbox', 'Dropbox'],
  ['.owncloudsync.log', 'ownCloud'],
  ['.sync_root', 'a sync program'],
  ['.seafile-data', 'Seafile'],
]

export interface PlaceProbe {
  /** `f_type` of the file system, or null if the system does not report it. */
  readonly fileSystemType: (folder: string) => number | null
  readonly exists: (path: string) => boolean
}

const SYSTEM: PlaceProbe = {
  fileSystemType: (folder) => {
    try {
      // Other systems use other numbers for file systems.
      return process.platform === 'linux' ? statfsSync(folder).type >>> 0 : null
    } catch {
      return null
    }
  },
  exists: existsSync,
}

/** Warns if another machine or program also writes where the index is. Null if there is nothing to report. */
export function checkPlace(file: string, probe: PlaceProbe = SYSTEM): Check | null {
  const network = NETWORK_TYPES.get(probe.fileSystemType(dirname(file)) ?? 0)
  if (network !== undefined) {
    return {
      name: 'place',
      status: 'warning',
      message: `the index lies on a network or shared file system (${network}), where the locks of SQLite may not hold`,
      next: 'Keep it on this machine, with --state DIR or store.path. The notes may stay where they are.',
    }
  }
  const service = syncService(file, probe)
  if (service === null) return null
  return {
    name: 'place',
    status: 'warning',
    message: `the index lies in a folder that ${service} syncs: a copy taken in the middle of a write is damaged`,
    next: 'Leave .mnemark out of the sync, or keep the index elsewhere with --state DIR or store.path.',
  }
}

function syncService(file: string, probe: PlaceProbe): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const name = folder.slice(dirname(folder).length).replace(/^[\\/]/, '')
    const named = SYNCED_NAMES.find(([pattern]) => pattern.test(name))
    if (named) return named[1]
    const marked = SYNC_MARKERS.find(([marker]) => probe.exists(join(folder, marker)))
    if (marked) return marked[1]
  }
  return null
}
