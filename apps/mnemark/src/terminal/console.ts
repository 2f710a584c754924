/** A stream of the process, or a stand-in. */
export interface Output {
  readonly isTTY?: boolean
  /** The width of a terminal, in cells. */
  readonly columns?: number
  readonly rows?: number
  /** False if the reader is behind. */
  write(text: string): unknown
  once?(event: 'drain', listener: () => void): unknown
}

/** The output of a command: the answer on stdout, everything else on stderr. */
export interface Console {
  readonly isJson: boolean
  readonly isQuiet: boolean
  /** True if a person reads stdout: a terminal, without --json. Output to a pipe is for programs. */
  readonly isTerminal: boolean
  /** The size of stdout's terminal, in characters; 24 by 80 if it does not say. */
  readonly screen: { readonly rows: number; readonly columns: number }
  /** True if colour and bold are useful: a terminal, or FORCE_COLOR; never with NO_COLOR or --json. */
  readonly hasColour: boolean
  /** True if a person watches stderr. */
  readonly isWatched: boolean
  readonly progress: ProgressKind
  /** The width of stdout in cells; null if it is not a terminal. */
  readonly columns: number | null
  /** The width of stderr in cells; null if it is not a terminal. */
  readonly progressColumns: number | null
  /** Text for people, on stdout, wrapped between words on a terminal; nothing under --json. */
  print(text: string): void
  /** A text as `print` wraps it. */
  wrapped(text: string): string
  /** As `print`, but never wrapped: content of a file, or text for a shell. */
  verbatim(text: string): void
  /** The one document of --json, on stdout; nothing without it. */
  document(value: unknown): void
  /** Lines on stdout, also under --json; waits for a slow reader instead of holding what it has not read. */
  stream(lines: AsyncIterable<string> | Iterable<string>): Promise<void>
  /** A warning or a piece of news, on stderr unless --quiet. */
  note(text: string): void
  /** Why a command ends, on stderr, also with --quiet. */
  fail(text: string): void
  /** Shows one line in place on a terminal, replacing the last; an empty one clears it. Other output goes above. */
  showLine(text: string): void
  /** True if a person is at the terminal and can be asked. */
  readonly canAsk: boolean
  /**
   * The answer of a person at the terminal, without surrounding space; null if nobody is there, the input ends, or 30 seconds
   * pass.
   */
  ask(question: string): Promise<string | null>
}

/** A line that is redrawn in place, plain lines, or nothing. */
export type ProgressKind = 'bar' | 'plain' | 'none'

const START_OF_LINE = '\r'
const CLEAR_TO_END = '\u001B[K'
/** The width of a terminal that does not state one. */
const USUAL_COLUMNS = 80

export function createConsole(options: {
  readonly stdout: Output
  readonly stderr: Output
  /** The source of answers; without it nobody is asked. */
  readonly stdin?: NodeJS.ReadStream
  readonly isJson: boolean
  readonly isQuiet: boolean
  readonly environment: Environment
  /** Breaks text into lines of this many cells; loaded for a terminal. */
  readonly wrap?: (text: string, columns: number) => string
  /** Calls once after that many milliseconds, unless the returned function is called before. Default: a timer. */
  readonly after?: (ms: number, callback: () => void) => () => void
}): Console {
  const { stdout, stderr, isJson, isQuiet, environment } = options
  // A build machine may have a terminal, and nobody at it.
  const isMachine = !['', '0', 'false'].includes((environment.CI ?? '').toLowerCase())
  const wrapFor = (output: Output, text: string): string =>
    options.wrap?.(text, columnsOf(output) ?? Number.POSITIVE_INFINITY) ?? text
  let shown = ''
  const showLine = (text: string): void => {
    if (text === shown) return
    shown = text
    stderr.write(START_OF_LINE + text + CLEAR_TO_END)
  }
  const say = (output: Output, text: string): void => {
    showLine('')
    output.write(`${wrapFor(output, text)}\n`)
  }
  const canAsk = !isJson && !isQuiet && !isMachine && stderr.isTTY === true && options.stdin?.isTTY === true
  const isTerminal = !isJson && stdout.isTTY === true
  return {
    canAsk,
    isTerminal,
    // A terminal of size zero has not stated its size.
    screen: { rows: stdout.rows || 24, columns: stdout.columns || 80 },
    isJson,
    isQuiet,
    hasColour: !isJson && hasColour(stdout, environment),
    isWatched: !isQuiet && stderr.isTTY === true,
    progress: isQuiet ? 'none' : progressKind(stderr, environment, isJson),
    get columns() {
      return columnsOf(stdout)
    },
    get progressColumns() {
      return columnsOf(stderr)
    },
    print: (text) => {
      if (!isJson) say(stdout, text)
    },
    wrapped: (text) => wrapFor(stdout, text),
    verbatim: (text) => {
      if (isJson) return
      showLine('')
      stdout.write(`${text}\n`)
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
      if (!isQuiet) say(stderr, text)
    },
    fail: (text) => say(stderr, text),
    showLine,
    ask: async (question) =>
      canAsk && options.stdin !== undefined
        ? readAnswer(`${wrapFor(stderr, question.trimEnd())} `, options.stdin, { stderr, after: options.after ?? afterTimer })
        : null,
  }
}

/** Null if it is not a terminal. An unattended one says that it is 0 wide. */
function columnsOf({ isTTY, columns = 0 }: Output): number | null {
  if (isTTY !== true) return null
  return columns > 0 ? columns : USUAL_COLUMNS
}

type Environment = Readonly<Record<string, string | undefined>>

/** NO_COLOR is for people who need it, so it overrides FORCE_COLOR; see https://no-color.org and https://force-color.org. */
function hasColour(stdout: Output, { NO_COLOR, FORCE_COLOR, TERM }: Environment): boolean {
  if (NO_COLOR) return false
  if (FORCE_COLOR) return !['0', 'false'].includes(FORCE_COLOR)
  return stdout.isTTY === true && TERM !== 'dumb'
}

/** Plain lines for a screen reader, a terminal that cannot move its cursor, and a pipe; nothing for a program that reads JSON. */
function progressKind(stderr: Output, { MNEMARK_PROGRESS, TERM }: Environment, isJson: boolean): ProgressKind {
  if (MNEMARK_PROGRESS === 'none' || MNEMARK_PROGRESS === 'plain') return MNEMARK_PROGRESS
  if (stderr.isTTY === true) return TERM === 'dumb' ? 'plain' : 'bar'
  return isJson ? 'none' : 'plain'
}

/** After this time without an answer, nobody is at the terminal. */
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
  // Otherwise a terminal that was waited for keeps the process alive.
  stdin.pause()
  return answer
}

function afterTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
