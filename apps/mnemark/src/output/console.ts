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
  /** What a person at the terminal answers, without surrounding space; null where nobody is there, their input ends, or 30 seconds pass. */
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
  /** Calls once after that many milliseconds, unless the returned function is called before. Default: a timer. */
  readonly after?: (ms: number, callback: () => void) => () => void
}): Console {
  const { stdout, stderr, isJson, isQuiet, environment } = options
  // A machine that builds and tests may have a terminal, and nobody at it.
  const isMachine = !['', '0', 'false'].includes((environment.CI ?? '').toLowerCase())
  const canAsk = !isJson && !isQuiet && !isMachine && stderr.isTTY === true && options.stdin?.isTTY === true
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
    ask: async (question) =>
      canAsk && options.stdin !== undefined
        ? readAnswer(question, options.stdin, { stderr, after: options.after ?? afterTimer })
        : null,
  }
}

/** Nobody is at the terminal who answers nothing for so long. */
const ANSWER_MS = 30_000

interface Asking {
  readonly stderr: Output
  readonly after: (ms: number, callback: () => void) => () => void
}

async function readAnswer(question: string, stdin: NodeJS.ReadStream, { stderr, after }: Asking): Promise<string | null> {
  const { createInterface } = await import('node:readline')
  stderr.write(question)
  const lines = createInterface({ input: stdin })
  let cancel = (): void => {}
  const answer = await new Promise<string | null>((resolve) => {
    cancel = after(ANSWER_MS, () => {
      stderr.write('\nNo answer for 30 seconds: taken for no.\n')
      resolve(null)
    })
    lines.once('line', (line) => resolve(line.trim())).once('close', () => resolve(null))
  })
  cancel()
  lines.close()
  // Else a terminal that was waited for keeps the process from ending.
  stdin.pause()
  return answer
}

function afterTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
