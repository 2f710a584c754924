import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Sources run directly: the `mnemark-source` condition of each package's exports points at its TypeScript.
const conditions = ['mnemark-source', 'node', 'import', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'tooling/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    // One less by default, which leaves a core of two idle: nobody watches the clock here.
    maxWorkers: availableParallelism(),
    // Ends what hangs. No test passes or fails by it, however busy the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { interval: 20, timeout: 300_000 } },
    // It names its TypeScript `source` too, which Node does not take from node_modules.
    server: { deps: { inline: ['eventsource', '@modelcontextprotocol/client'] } },
  },
})
