import type { Command } from './command.ts'
import type { OptionSpec } from './command-line/command-line.ts'

export interface CommandSpec {
  readonly usage: string
  readonly summary: string
  readonly words: { readonly least: number; readonly most: number }
  /** The first words there are, where they are few: for completion. */
  readonly wordChoices?: readonly string[]
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly examples: readonly string[]
  /** Loads the command's own code only when it is run. */
  readonly load: () => Promise<Command>
}

export const GLOBAL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  workspace: {
    value: 'DIR',
    summary: 'the folder of notes (else configuration, nearest folder with MEMORY.md or memory/, current folder)',
  },
  w: {
    short: 'w',
    value: 'NAME',
    summary: 'the folder that "workspace add" gave this name, from anywhere; instead of --workspace',
  },
  agent: { value: 'ID', summary: 'the agent whose settings and index are used (main)' },
  config: { value: 'FILE', summary: 'a configuration file instead of mnemark.json5 of the workspace or the user' },
  state: { value: 'DIR', summary: 'keep the index here instead of in the workspace' },
  json: { summary: 'one JSON document on stdout' },
  quiet: { summary: 'no notes and no progress on stderr' },
  'no-pager': { summary: 'on a terminal, print long answers of search and get without a pager' },
  help: { short: 'h', summary: 'show help' },
  version: { short: 'V', summary: 'print the version' },
}

const CHAT_TYPES = ['direct', 'group', 'channel']
/** Of what a day may be, the words to complete. */
const DAYS = ['today', 'yesterday', '7d', '30d', '3m', '1y']
const KINDS = ['note', 'transcript', 'world', 'experience', 'opinion', 'observation']
const NO_LIMIT = Number.POSITIVE_INFINITY

/** Of which notes a list is, and who asks for it. */
const LIST_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  path: { value: 'PATH', isRepeatable: true, summary: 'only notes in this folder, this file, or files that match this glob' },
  tag: { value: 'T', isRepeatable: true, summary: 'only notes with this tag, or one below it: project finds project/alpha' },
  since: {
    value: 'D',
    choices: DAYS,
    summary: 'only notes dated on or after: 2026-03-14, 2026-03, 2026, 7d, 2w, yesterday, "last week"',
  },
  until: { value: 'D', choices: DAYS, summary: 'only notes dated on or before' },
  'as-of': { value: 'D', choices: DAYS, summary: 'leave out notes dated after this day' },
  kind: { value: 'K', choices: KINDS, isRepeatable: true, summary: 'only notes with this kind of text' },
  entity: { value: 'E', isRepeatable: true, summary: 'only notes about this entity' },
  source: { value: 'S', isRepeatable: true, summary: 'only this source: memory' },
  yes: { summary: 'make a first index also of a large folder or of the home folder' },
  'session-key': { value: 'K', summary: 'the session that asks' },
  'chat-type': { value: 'T', choices: CHAT_TYPES, summary: 'the kind of chat that asks: direct, group or channel' },
  channel: { value: 'C', summary: 'the channel the chat is on, such as telegram' },
}

export const COMMANDS: Readonly<Record<string, CommandSpec>> = {
  init: {
    usage: 'init [DIR]',
    summary: 'make a workspace: MEMORY.md, memory/, bank/ and a commented mnemark.json5; changes nothing that exists',
    words: { least: 0, most: 1 },
    options: {},
    examples: ['mnemark init', 'mnemark init ~/notes'],
    load: async () => (await import('./commands/setup/init.ts')).init,
  },
  index: {
    usage: 'index',
    summary: 'bring the index up to date with the files',
    words: { least: 0, most: 0 },
    options: {
      force: { summary: 'read and analyse every file again' },
      'dry-run': { summary: 'say what would be done and sent, and do nothing' },
      fallback: { summary: 'where a provider fails, embed by the next one of memorySearch.fallback at once' },
      're-embed': { value: 'SPACE', summary: 'drop the vectors of a provider, model or space and pay for them again' },
      yes: {
        summary:
          'answer every question with yes: a large folder or the home folder is indexed, notes may be sent to the provider that was found',
      },
    },
    examples: [
      'mnemark index',
      'mnemark index --dry-run',
      'mnemark index --workspace ~/notes --force --json',
      'mnemark index --re-embed openai/text-embedding-3-small',
    ],
    load: async () => (await import('./commands/index/index-notes.ts')).indexNotes,
  },
  search: {
    usage: 'search [QUERY]',
    summary: 'find notes, or list those that pass a filter, newest first; every hit names its file and lines',
    words: { least: 0, most: NO_LIMIT },
    options: {
      k: { short: 'k', value: 'N', summary: 'at most N hits, 1 to 100 (6)' },
      source: { value: 'S', isRepeatable: true, summary: 'only this source: memory' },
      path: { value: 'PATH', isRepeatable: true, summary: 'only notes in this folder, this file, or files that match this glob' },
      since: {
        value: 'D',
        choices: DAYS,
        summary: 'only notes dated on or after: 2026-03-14, 2026-03, 2026, 7d, 2w, yesterday, "last week"',
      },
      until: { value: 'D', choices: DAYS, summary: 'only notes dated on or before' },
      'as-of': { value: 'D', choices: DAYS, summary: 'leave out notes dated after this day' },
      kind: {
        value: 'K',
        choices: KINDS,
        isRepeatable: true,
        summary: 'only this kind of text, such as transcript; note is all that has none',
      },
      entity: { value: 'E', isRepeatable: true, summary: 'only text about this entity' },
      tag: { value: 'T', isRepeatable: true, summary: 'only text with this tag, or one below it: project finds project/alpha' },
      files: { summary: 'only the paths of the files, each once, for xargs and editors' },
      null: { short: '0', summary: 'with --files: a NUL after each path, as xargs -0 reads it' },
      mmr: { summary: 'prefer hits that differ from each other' },
      decay: { summary: 'prefer recent notes among dated ones' },
      fusion: { value: 'F', choices: ['weighted', 'rrf'], summary: 'how lists are joined: weighted or rrf' },
      keywords: { summary: 'keywords only, whatever provider is configured' },
      yes: { summary: 'make a first index also of a large folder or of the home folder' },
      explain: { summary: 'show how each score came about' },
      why: { value: 'PATH[:LINE]', summary: 'say why this file or line is, or is not, among the hits' },
      'session-key': { value: 'K', summary: 'the session that asks' },
      'chat-type': { value: 'T', choices: CHAT_TYPES, summary: 'the kind of chat that asks: direct, group or channel' },
      channel: { value: 'C', summary: 'the channel the chat is on, such as telegram' },
      mask: { summary: 'hide passwords and keys in excerpts' },
    },
    examples: [
      'mnemark search router vlan',
      'mnemark search "exact phrase" -k 3',
      'mnemark search الإطلاق --since 2026-03 --explain',
      'mnemark search deploy --why memory/2026-03-14.md:12',
      'mnemark search --tag person',
      "mnemark search 'rent path:decisions/ since:3m'",
      'mnemark search router --files -0 | xargs -0 grep -n vlan',
      'mnemark search -- "plan -draft"',
    ],
    load: async () => (await import('./commands/find/search.ts')).search,
  },
  recent: {
    usage: 'recent',
    summary: 'list notes, newest first or by path, without a question: all, or those of a tag, a folder or some days',
    words: { least: 0, most: 0 },
    options: {
      k: { short: 'k', value: 'N', summary: 'at most N notes, 1 to 1000 (20)' },
      n: { short: 'n', value: 'N', summary: 'the same as -k' },
      order: { value: 'O', choices: ['newest', 'path'], summary: 'newest (the default; undated notes last) or path' },
      ...LIST_OPTIONS,
      after: { value: 'CURSOR', summary: 'the next page: the "next" of the answer before, as --json gives it' },
      mask: { summary: 'hide passwords and keys in titles' },
    },
    examples: [
      'mnemark recent',
      'mnemark recent -n 50 --since 7d',
      'mnemark recent --tag project --until "last week"',
      'mnemark recent --path decisions/ --order path --json',
    ],
    load: async () => (await import('./commands/find/recent.ts')).recent,
  },
  tags: {
    usage: 'tags',
    summary: 'list the tags of the notes, with how many notes have each and when it was last used',
    words: { least: 0, most: 0 },
    options: LIST_OPTIONS,
    examples: ['mnemark tags', 'mnemark tags --since 30d --json'],
    load: async () => (await import('./commands/find/recent.ts')).tags,
  },
  pick: {
    usage: 'pick [QUERY]',
    summary: 'search as you type and open the note that is chosen; by keywords, so nothing is sent anywhere',
    words: { least: 0, most: NO_LIMIT },
    options: {
      path: { value: 'PATH', isRepeatable: true, summary: 'only notes in this folder, this file, or files that match this glob' },
      print: { summary: 'print PATH:LINE instead of opening it, as is done on a pipe' },
      yes: { summary: 'make a first index also of a large folder or of the home folder' },
    },
    examples: ['mnemark pick', 'mnemark pick router', 'mnemark pick --print'],
    load: async () => (await import('./commands/find/pick.ts')).pick,
  },
  get: {
    usage: 'get PATH',
    summary: 'read a note, or lines of it',
    words: { least: 1, most: 1 },
    options: {
      from: { value: 'N', summary: 'first line, counted from 1' },
      lines: { value: 'N', summary: 'at most N lines (120)' },
      quote: { value: 'HASH', summary: 'the quoteHash of a hit: find its text where it stands now' },
      mask: { summary: 'hide passwords and keys' },
    },
    examples: [
      'mnemark get MEMORY.md',
      'mnemark get memory/2026-03-14.md --from 12 --lines 9',
      'mnemark get "memory/2026-03-14.md#L12-L20"',
    ],
    load: async () => (await import('./commands/find/get.ts')).get,
  },
  open: {
    usage: 'open PATH[:LINE]',
    summary: 'open a note in the editor of VISUAL or EDITOR, at a line',
    words: { least: 1, most: 1 },
    options: {},
    examples: ['mnemark open MEMORY.md', 'mnemark open memory/2026-03-14.md:12', 'EDITOR="code --wait" mnemark open MEMORY.md:7'],
    load: async () => (await import('./commands/find/open.ts')).open,
  },
  append: {
    usage: 'append TEXT',
    summary: 'write a note at the end of a file; nothing is overwritten',
    words: { least: 1, most: NO_LIMIT },
    options: { to: { value: 'daily|memory|PATH', summary: "today's log (default), MEMORY.md, or a file of the workspace" } },
    examples: ['mnemark append "VLAN 10 is for guests"', 'mnemark append "Prefers pnpm" --to memory'],
    load: async () => (await import('./commands/write/append.ts')).append,
  },
  edit: {
    usage: 'edit PATH',
    summary: 'change one place of a note; the version before is kept',
    words: { least: 1, most: 1 },
    options: {
      replace: { value: 'OLD', summary: 'the text to replace; it must stand there exactly once' },
      with: { value: 'NEW', summary: 'the text to put there; empty takes the old text away' },
      insert: { value: 'TEXT', summary: 'new lines, instead of a replacement' },
      after: { value: 'LINE', summary: 'the line they come after; 0 is the beginning' },
      expect: { value: 'HASH', summary: 'the hash of the last edit: refuse where the note is another one by now' },
      quote: { value: 'HASH', summary: 'the quoteHash of a hit: refuse where its text does not stand in the note any more' },
    },
    examples: [
      'mnemark edit MEMORY.md --replace "Tea at five" --with "Tea at six"',
      'mnemark edit MEMORY.md --insert "- Tea at six" --after 12',
    ],
    load: async () => (await import('./commands/write/edit.ts')).edit,
  },
  watch: {
    usage: 'watch',
    summary: 'keep the index up to date until stopped (Ctrl+C)',
    words: { least: 0, most: 0 },
    options: {
      yes: { summary: 'make a first index also of a large folder or of the home folder' },
    },
    examples: ['mnemark watch', 'mnemark watch --json --workspace ~/notes'],
    load: async () => (await import('./commands/index/watch.ts')).watch,
  },
  context: {
    usage: 'context',
    summary: 'what a session begins with: SOUL.md, MEMORY.md in a private main session, the logs of today and yesterday',
    words: { least: 0, most: 0 },
    options: {
      'session-key': { value: 'K', summary: 'the session that begins' },
      'chat-type': { value: 'T', choices: CHAT_TYPES, summary: 'the kind of chat: direct, group or channel' },
      channel: { value: 'C', summary: 'the channel the chat is on, such as telegram' },
      budget: { value: 'TOKENS', summary: 'at most so many tokens (4000)' },
      mask: { summary: 'hide passwords and keys' },
    },
    examples: ['mnemark context', 'mnemark context --session-key agent:main:telegram:group:42 --budget 2000'],
    load: async () => (await import('./commands/find/context.ts')).context,
  },
  serve: {
    usage: 'serve [token]',
    summary: 'keep the index up to date and answer over HTTP and MCP until stopped; "serve token" shows the token',
    words: { least: 0, most: 1 },
    wordChoices: ['token'],
    options: {
      port: { value: 'N', summary: 'listen on this port (4774); 0 takes any free one' },
      host: { value: 'ADDRESS', summary: 'listen on this address (127.0.0.1)' },
      'read-only': { summary: 'nothing can be written' },
      yes: { summary: 'make a first index also of a large folder or of the home folder' },
      new: { summary: 'with "token": make a new one; the old one stops working when the server starts again' },
    },
    examples: ['mnemark serve', 'mnemark serve --port 0 --read-only', 'mnemark serve token'],
    load: async () => (await import('./commands/serve/serve.ts')).serve,
  },
  mcp: {
    usage: 'mcp',
    summary: 'serve one MCP client over stdin and stdout',
    words: { least: 0, most: 0 },
    options: {
      'read-only': { summary: 'without the tools that write' },
      connector: { summary: 'with search and fetch, as connectors of ChatGPT want them' },
      'session-key': { value: 'K', summary: 'the session the client works for' },
      'chat-type': { value: 'T', choices: CHAT_TYPES, summary: 'its kind of chat: direct (default), group or channel' },
      channel: { value: 'C', summary: 'the channel the chat is on, such as telegram' },
    },
    examples: ['mnemark mcp --workspace ~/notes', 'mnemark mcp --read-only'],
    load: async () => (await import('./commands/serve/mcp.ts')).mcp,
  },
  batch: {
    usage: 'batch list|resume|cancel',
    summary: 'batch jobs at embedding services: list them, collect what is done, cancel one or all',
    words: { least: 1, most: 2 },
    options: {},
    examples: ['mnemark batch list', 'mnemark batch resume', 'mnemark batch cancel all'],
    load: async () => (await import('./commands/index/batch.ts')).batch,
  },
  status: {
    usage: 'status',
    summary: 'what is indexed, how, and what is not',
    words: { least: 0, most: 0 },
    options: { deep: { summary: 'also ask each embedding provider for one vector' } },
    examples: ['mnemark status', 'mnemark status --json'],
    load: async () => (await import('./commands/index/status.ts')).status,
  },
  qmd: {
    usage: 'qmd env',
    summary: "with the qmd backend: the exports that make qmd, typed by hand, use this agent's index and models",
    words: { least: 1, most: 1 },
    wordChoices: ['env'],
    options: { shell: { value: 'SHELL', choices: ['posix', 'powershell'], summary: 'for which shell' } },
    examples: ['eval "$(mnemark qmd env)"', 'mnemark qmd env --agent work --json'],
    load: async () => (await import('./commands/serve/qmd-command.ts')).qmd,
  },
  doctor: {
    usage: 'doctor',
    summary: 'check the runtime, the native parts, the configuration and the index',
    words: { least: 0, most: 0 },
    options: { fix: { summary: 'repair what can be repaired; a damaged index is set aside and built again' } },
    examples: ['mnemark doctor', 'mnemark doctor --fix'],
    load: async () => (await import('./commands/index/doctor.ts')).doctor,
  },
  eval: {
    usage: 'eval',
    summary: 'measure how well your own notes are found, keywords against vectors; needs no model',
    words: { least: 0, most: 0 },
    options: {
      yes: { summary: 'make a first index also of a large folder or of the home folder' },
      questions: { value: 'FILE', summary: 'questions of your own: [{ question: "…", gold: ["PATH", "PATH#L12-L20"] }]' },
    },
    examples: ['mnemark eval', 'mnemark eval --questions questions.json5 --json'],
    load: async () => (await import('./commands/find/eval.ts')).evaluate,
  },
  forget: {
    usage: 'forget PATH',
    summary: 'take a note out of the index, with all that was made from it, and keep it out',
    words: { least: 1, most: 1 },
    options: {
      delete: { summary: "also move its file to the trash, in the user's state folder" },
      undo: { summary: 'let a forgotten note be indexed again' },
    },
    examples: [
      'mnemark forget memory/2026-03-14.md',
      'mnemark forget notes/old.md --delete',
      'mnemark forget notes/old.md --undo',
    ],
    load: async () => (await import('./commands/write/forget.ts')).forget,
  },
  export: {
    usage: 'export',
    summary: 'write everything that is indexed as JSON Lines, in a fixed order',
    words: { least: 0, most: 0 },
    options: {
      yes: { summary: 'make a first index also of a large folder or of the home folder' },
      out: { value: 'FILE', summary: 'write to this file instead of stdout' },
    },
    examples: ['mnemark export > notes.jsonl', 'mnemark export --out notes.jsonl'],
    load: async () => (await import('./commands/setup/export.ts')).exportNotes,
  },
  config: {
    usage: 'config show|check|path|set KEY VALUE|unset KEY',
    summary: 'show the settings in force, check the configuration, say where it is, or change a key; comments in the file stay',
    words: { least: 1, most: 3 },
    wordChoices: ['show', 'check', 'path', 'set', 'unset'],
    options: { user: { summary: "with set, unset: in the user's own file, which counts for every workspace without one" } },
    examples: [
      'mnemark config show',
      'mnemark config check --config openclaw.json',
      'mnemark config set memorySearch.provider ollama',
      'mnemark config set memorySearch.extraPaths \'["~/handbook"]\'',
    ],
    load: async () => (await import('./commands/setup/config.ts')).config,
  },
  backup: {
    usage: 'backup FILE',
    summary: 'write what is not in the notes into one file: kept versions, the trash, lists of forgotten notes',
    words: { least: 1, most: 1 },
    options: {},
    examples: ['mnemark backup ~/notes-state.tar.gz'],
    load: async () => (await import('./commands/setup/backup.ts')).backup,
  },
  restore: {
    usage: 'restore FILE',
    summary: 'put it back beside what is there; a note forgotten since stays forgotten',
    words: { least: 1, most: 1 },
    options: {},
    examples: ['mnemark restore ~/notes-state.tar.gz'],
    load: async () => (await import('./commands/setup/backup.ts')).restore,
  },
  adopt: {
    usage: 'adopt DIR',
    summary: 'after a workspace was moved here from DIR: take over its kept versions, trash and forgotten notes',
    words: { least: 1, most: 1 },
    options: {},
    examples: ['mnemark adopt ~/old-place/notes --workspace ~/notes'],
    load: async () => (await import('./commands/setup/backup.ts')).adopt,
  },
  workspace: {
    usage: 'workspace add NAME DIR|remove NAME|list',
    summary: 'give a folder of notes a name, to search it from anywhere: mnemark search -w NAME QUERY',
    words: { least: 1, most: 3 },
    wordChoices: ['add', 'remove', 'list'],
    options: {},
    examples: ['mnemark workspace add notes ~/notes', 'mnemark workspace list', 'mnemark search -w notes router vlan'],
    load: async () => (await import('./commands/setup/workspace.ts')).workspace,
  },
  trust: {
    usage: 'trust [DIR]',
    summary: "let a workspace's own mnemark.json5 run programs, send notes and read other folders, after showing what it wants",
    words: { least: 0, most: 1 },
    options: {
      yes: { summary: 'without a question' },
      list: { summary: 'the workspaces that are trusted on this machine' },
    },
    examples: ['mnemark trust', 'mnemark trust ~/notes --yes', 'mnemark trust --list'],
    load: async () => (await import('./commands/setup/trust.ts')).trust,
  },
  untrust: {
    usage: 'untrust [DIR]',
    summary: 'take that back',
    words: { least: 0, most: 1 },
    options: {},
    examples: ['mnemark untrust ~/notes'],
    load: async () => (await import('./commands/setup/trust.ts')).untrust,
  },
  install: {
    usage: 'install',
    summary: 'put the command of this checkout on PATH, as a link in ~/.local/bin',
    words: { least: 0, most: 0 },
    options: { to: { value: 'DIR', summary: 'put the link into this folder' } },
    examples: ['mnemark install', 'mnemark install --to ~/bin'],
    load: async () => (await import('./commands/setup/install.ts')).install,
  },
  uninstall: {
    usage: 'uninstall',
    summary: 'take that link away again, and nothing else',
    words: { least: 0, most: 0 },
    options: { to: { value: 'DIR', summary: 'the folder of the link' } },
    examples: ['mnemark uninstall'],
    load: async () => (await import('./commands/setup/install.ts')).uninstall,
  },
  help: {
    usage: 'help [COMMAND]',
    summary: 'show this page, or that of one command',
    words: { least: 0, most: 1 },
    get wordChoices() {
      return Object.keys(COMMANDS)
    },
    options: {},
    examples: ['mnemark help', 'mnemark help search'],
    load: async () => (await import('./help.ts')).help,
  },
  completion: {
    usage: 'completion bash|zsh|fish',
    summary: 'print a script by which a shell completes commands and options',
    words: { least: 1, most: 1 },
    wordChoices: ['bash', 'zsh', 'fish'],
    options: {},
    examples: [
      'source <(mnemark completion bash)',
      'mnemark completion zsh > ~/.zsh/completions/_mnemark',
      'mnemark completion fish > ~/.config/fish/completions/mnemark.fish',
    ],
    load: async () => (await import('./commands/setup/completion.ts')).completion,
  },
}
