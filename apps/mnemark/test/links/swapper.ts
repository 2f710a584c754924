// A process that swaps a folder and a note of a workspace with links that lead outside, over and over, as fast as it can.
import { renameSync } from 'node:fs'
import { join } from 'node:path'

const root = process.argv[2] ?? ''
/** Each stands there for an instant as what it is, then as the link beside it. */
const places = process.argv.slice(3).map((place) => join(root, place))

function rename(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch {
    // Whoever writes a note at this moment may be in the way; the next turn tries again.
  }
}

let isResting = false

process.send?.('ready')
process.once('disconnect', () => process.exit())
process.on('message', (message) => {
  isResting = message === 'rest'
  if (isResting) process.send?.('resting')
  else turn()
})

function turn(): void {
  if (isResting) return
  for (let count = 0; count < 50; count += 1) {
    for (const place of places) {
      rename(place, `${place}.aside`)
      rename(`${place}.link`, place)
      rename(place, `${place}.link`)
      rename(`${place}.aside`, place)
    }
  }
  setImmediate(turn)
}
turn()
