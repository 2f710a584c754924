/** A stream of the process, or a stand-in. */
export interface Output {
  readonly isTTY?: boolean
  /** False where the reader is behind. */
  write(text: string): unknown
  once?(event: 'drain', listener: () => void): unknown
}

/** Where a command says what it has to say: the answer on stdout, everything else on stderr. */
export interface Console {
  readonly isJson: boolean
  readonly isQuiet: boolean
  /** True where colour and bold help: a terminal, no NO_COLOR, not under --json. */
  readonly hasColour: boolean
  /** True where a person watches stderr: a progress bar makes sense. */
  readonly isWatched: boolean
  /** Text for people, on stdout; nothing under --json. */
  print(text: string): void
  /** The one document of --json, on stdout; nothing without it. */
  document(value: unknown): void
  /** Lines on stdout, also under --json; waits for a slow reader instead of holding what it has not read. */
  stream(lines: AsyncIterable<string>): Promise<void>
  /** A warning or a piece of news, on stderr unless --quiet. */
  note(text: string): void
  /** True where a person is at the terminal, to be asked. */
  readonly canAsk: boolean
  /** What a person at the terminal answers, without surrounding space; null where nobody is there or their input ends. */
  ask(question: string): Promise<string | null>
}

export function createConsole(options: {
  readonly stdout: Output
  readonly stderr: Output
  /** Where answers come from; without it nobody is asked. */
  readonly stdin?: NodeJS.ReadStream
  readonly isJson: boolean
  readonly isQuiet: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
}): Console {
  const { stdout, stderr, isJson, isQuiet, environment } = options
  const canAsk = !isJson && !isQuiet && stderr.isTTY === true && options.stdin?.isTTY === true
  return {
    canAsk,
    isJson,
    isQuiet,
    hasColour: !isJson && stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb',
    isWatched: !isQuiet && stderr.isTTY === true,
    print: (text) => {
      if (!isJson) stdout.write(`${text}\n`)
    },
    document: (value) => {
      if (isJson) stdout.write(`${JSON.stringify(value)}\n`)
    },
    stream: async (lines) => {
      for await (const line of lines) {
        if (stdout.write(line) === false) await new Promise<void>((resolve) => stdout.once?.('drain', resolve) ?? resolve())
      }
    },
    note: (text) => {
      if (!isQuiet) stderr.write(`${text}\n`)
    },
    ask: async (question) => (canAsk && options.stdin !== undefined ? readAnswer(question, options.stdin, stderr) : null),
  }
}

async function readAnswer(question: string, stdin: NodeJS.ReadStream, stderr: Output): Promise<string | null> {
  const { createInterface } = await import('node:readline')
  stderr.write(question)
  const lines = createInterface({ input: stdin })
  const answer = await new Promise<string | null>((resolve) => {
    lines.once('line', (line) => resolve(line.trim())).once('close', () => resolve(null))
  })
  lines.close()
  return answer
}
