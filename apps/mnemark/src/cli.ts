#!/usr/bin/env node
// Only this file may be read by an old Node: everything else is loaded after the check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 13)) {
  console.error(`mnemark: needs Node 22.13 or newer; this is ${process.version}`)
  process.exitCode = 3
} else {
  const { main } = await import('./main.ts')
  // The code is set, not exited with, so that everything written still arrives.
  process.exitCode = await main(process.argv.slice(2), process)
}

export {}
