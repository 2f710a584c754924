/** Writes the assembled kernel into the sources: `pnpm --filter @mnemark/store-sqlite build:kernel`. */
import { writeFileSync } from 'node:fs'
import { assembledModule } from './assemble.ts'

writeFileSync(new URL('../src/scan/scan-kernel-binary.ts', import.meta.url), await assembledModule())
