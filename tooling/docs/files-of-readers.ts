/** Files in the reader's home folder besides the example notes: texts by path for each page, those for every page under `*`. */
const today = new Date().toISOString().slice(0, 10)

export const FILES_OF_READERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '*': {
    // So that lists of the last days have something to show, whenever they are asked for.
    [`notes/memory/${today}.md`]: `---\ntags: [person, project]\n---\n# Today\n\n- Deploy by the rollback plan, and pay the rent.\n`,
  },
  'docs/cli.md': { 'notes/openclaw.json': '{}' },
  'docs/guides/bring-your-notes.md': { '.openclaw/openclaw.json': `{ agents: { defaults: { workspace: '~/notes' } } }` },
}
