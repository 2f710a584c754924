import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'

/**
 * How TypeScript finds the types of a tarball, by Node's rules and by bundlers'. The packages are ES modules: what reads `exports` not at all
 * ("node10") is not served, and CommonJS gets them by `require`, which the rule of 2022 calls impossible.
 */
export async function typeResolutionProblems(tarball: string): Promise<readonly string[]> {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))))
  if (result.types === false) return ['the tarball has no types']
  return result.problems
    .filter(
      (problem) => problem.kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    )
    .map((problem) => {
      const where = 'entrypoint' in problem ? ` of ${problem.entrypoint} (${problem.resolutionKind})` : ''
      return `types${where}: ${problem.kind}`
    })
}
