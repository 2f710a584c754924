/** Exit codes; the same for every command. */
export const EXIT = {
  done: 0,
  /** Nothing was found, or a check failed. */
  nothing: 1,
  /** Bad use: an unknown option, a value that is not allowed, a refused path. */
  usage: 2,
  unavailable: 3,
  /** The index or the configuration cannot be used as it is. */
  broken: 4,
  /** A person left: Ctrl+C, or Esc where something is to be chosen. */
  left: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
