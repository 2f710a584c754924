import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { placesIn } from '@mnemark/tools/host'
import { expandHome } from '../../config/files/home-path.ts'
import type { Settings } from '../../config/load-settings.ts'

/** Matches paths of this machine in texts; configured ones by name, also relative to the home folder. */
export function knownPlaces({ workspace, extraPaths, storePath, stateFolder, configFile }: Settings): RegExp {
  const home = homedir()
  const places = [workspace, ...extraPaths, storePath, stateFolder, configFile, home]
    .filter((place) => place !== null)
    .map((place) => expandHome(place))
    .filter((place) => place !== '/' && isAbsolute(place))
  const fromHome = places.filter((place) => place.startsWith(`${home}/`)).map((place) => `~${place.slice(home.length)}`)
  return placesIn([...places, ...fromHome])
}
