import { problemsOf, runSuite } from './run-suite.ts'

const outcomes = await runSuite()
for (const { scenario, passed, failed, reason } of outcomes) {
  const result =
    reason === null ? `${failed.length === 0 && passed > 0 ? 'passed' : 'FAILED'}, ${passed} checks` : `does not apply: ${reason}`
  console.log(`${scenario.padEnd(32)}${result}`)
}
const problems = problemsOf(outcomes)
for (const problem of problems) console.error(problem)
const applying = outcomes.filter(({ reason }) => reason === null).length
console.log(`${applying} of ${outcomes.length} scenarios apply, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
