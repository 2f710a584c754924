#!/usr/bin/env node
// Only this file may be read by an old Node: everything else is loaded after the check.
// Node-API 10 is what the SQLite engine needs: 22.14 has it, and of the 23s 23.6.
if (Number(process.versions.napi) < 10) {
  console.error(`mnemark: needs Node 22.14 or newer (of 23, 23.6); this is ${process.version}`)
  process.exitCode = 3
} else {
  const { main } = await import('./main.ts')
  // The code is set, not exited with, so that everything written still arrives.
  process.exitCode = await main(process.argv.slice(2), process)
}

export {}
