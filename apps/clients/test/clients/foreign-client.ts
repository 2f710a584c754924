/** How a client gets at the memory: it starts `mnemark mcp`, or calls a server that runs. */
export type Target =
  | {
      readonly command: string
      readonly args: readonly string[]
      readonly cwd: string
      readonly env: Readonly<Record<string, string>>
    }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** A client of another project, as a program with a model uses it. */
export interface ForeignClient {
  /** Names of the tools that it offers a model. */
  tools(): Promise<readonly string[]>
  /** Calls a tool and resolves with what the model is handed, as text. */
  call(name: string, input: Readonly<Record<string, unknown>>): Promise<string>
  close(): Promise<void>
}
