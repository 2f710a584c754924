/** A mistake on the command line: its message is all that is shown. */
export class BadUse extends Error {}

/** Runs a command; bad use ends with exit code 2 and one line. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    // parseArgs throws TypeErrors with these codes for options it does not know.
    const isBadUse =
      error instanceof BadUse ||
      (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    if (!isBadUse) throw error
    process.exitCode = 2
    process.stderr.write(`${error.message}\n`)
  }
}
