#!/usr/bin/env node
// An old Node can read only this file: everything else is loaded after the check. The SQLite engine needs Node-API 10, which Node
// has since 22.14 and 23.6.
if (Number(process.versions.napi) < 10) {
  console.error(`mnemark: needs Node 22.14 or newer (of 23, 23.6); this is ${process.version}`)
  process.exitCode = 3
} else {
  const { main } = await import('./main.ts')
  // The code is set instead of calling exit, so that all output still arrives.
  process.exitCode = await main(process.argv.slice(2), process)
}

export {}
