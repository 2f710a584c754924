import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkWorkspace } from './check-workspace.ts'
import type { JsonRecord } from '../workspace-packages.ts'

type Files = Readonly<Record<string, string | JsonRecord | null>>

const REPOSITORY = 'https://github.com/mnemark/mnemark'

const manifest = (name: string, more: JsonRecord = {}): JsonRecord => ({
  name,
  description: 'A part of the fixture.',
  keywords: ['mnemark', 'memory', 'agents'],
  license: 'MIT',
  ...addresses(name.startsWith('@') ? `packages/${name.split('/')[1]}` : `apps/${name}`),
  type: 'module',
  sideEffects: false,
  files: ['dist'],
  engines: { node: '>=22.14' },
  exports: { '.': { 'mnemark-source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' } },
  ...more,
})

const addresses = (path: string): JsonRecord => ({
  homepage: `${REPOSITORY}/tree/main/${path}#readme`,
  bugs: `${REPOSITORY}/issues`,
  repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: path },
})

const core = (more: JsonRecord): JsonRecord =>
  manifest('@mnemark/core', {
    dependencies: { '@mnemark/spec': 'workspace:^', yaml: '^2.9.1' },
    devDependencies: { '@mnemark/testkit': 'workspace:^' },
    ...more,
  })

const SOUND: Files = {
  'package.json': { devDependencies: { vitest: '1.0.0' } },
  'packages/spec/package.json': manifest('@mnemark/spec'),
  'packages/spec/README.md': '# spec',
  'packages/spec/tsconfig.json': '{}',
  'packages/spec/src/index.ts': "export { sha256 } from '#sha256'\n",
  'packages/spec/src/hash/sha256-node.ts': "import { hash } from 'node:crypto'\nexport { hash }\n",
  'packages/core/package.json': core({}),
  'packages/core/README.md': '# core',
  'packages/core/tsconfig.json': '{}',
  'packages/core/src/index.ts': "import { parse } from 'yaml'\nexport type { Hit } from '@mnemark/spec'\nexport { parse }\n",
  'packages/core/src/index.test.ts':
    "import { readFileSync } from 'node:fs'\nimport { test } from 'vitest'\nimport '@mnemark/testkit'\ntest('', () => readFileSync('x'))\n",
  'packages/testkit/package.json': manifest('@mnemark/testkit', { dependencies: { '@mnemark/spec': 'workspace:^' } }),
  'packages/testkit/README.md': '# testkit',
  'packages/testkit/tsconfig.json': '{}',
  'packages/testkit/src/index.ts': 'export {}\n',
  'apps/mnemark/package.json': manifest('mnemark', { dependencies: { '@mnemark/core': 'workspace:^' }, exports: undefined }),
  'apps/mnemark/README.md': '# mnemark',
  'apps/mnemark/tsconfig.json': '{}',
  'apps/mnemark/src/cli.ts': "import '@mnemark/core'\nfetch('http://127.0.0.1')\n",
}

/** The sound workspace with some files replaced, or removed by null. */
function problemsWith(changes: Files): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'mnemark-check-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, content] of Object.entries({ ...SOUND, ...changes })) {
    if (content === null) continue
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return checkWorkspace(root)
}

test('a sound workspace has no problems', () => {
  expect(problemsWith({})).toEqual([])
})

describe('edges between packages', () => {
  const edges: Readonly<Record<string, readonly [Files, string]>> = {
    'a dependency outside the table': [
      { 'packages/spec/package.json': manifest('@mnemark/spec', { dependencies: { '@mnemark/core': 'workspace:^' } }) },
      'packages/spec: dependencies has @mnemark/core, allowed are: none',
    ],
    'a peer dependency outside the table': [
      { 'packages/testkit/package.json': manifest('@mnemark/testkit', { peerDependencies: { '@mnemark/core': 'workspace:^' } }) },
      'packages/testkit: peerDependencies has @mnemark/core, allowed are: spec, store-kit, store-memory',
    ],
    'a development dependency outside the table': [
      { 'packages/spec/package.json': manifest('@mnemark/spec', { devDependencies: { '@mnemark/testkit': 'workspace:^' } }) },
      'packages/spec: devDependencies has @mnemark/testkit, allowed are: none',
    ],
    'testkit outside development': [
      {
        'packages/core/package.json': core({
          dependencies: { '@mnemark/spec': 'workspace:^', '@mnemark/testkit': 'workspace:^', yaml: '^2.9.1' },
        }),
      },
      'packages/core: dependencies has @mnemark/testkit, allowed are: spec',
    ],
    'a package depending on the app': [
      { 'packages/testkit/package.json': manifest('@mnemark/testkit', { dependencies: { mnemark: 'workspace:^' } }) },
      'packages/testkit: dependencies has mnemark, allowed are: spec, store-kit, store-memory',
    ],
    'a package that is not in the table': [
      {
        'packages/extra/package.json': manifest('@mnemark/extra'),
        'packages/extra/README.md': '# extra',
        'packages/extra/tsconfig.json': '{}',
        'packages/extra/src/index.ts': 'export {}\n',
      },
      'packages/extra: the package is not in the table of tooling/package-rules.ts: add it there with what it may depend on',
    ],
    'a version instead of the workspace': [
      { 'packages/testkit/package.json': manifest('@mnemark/testkit', { dependencies: { '@mnemark/spec': '^1.0.0' } }) },
      'packages/testkit: dependencies must name @mnemark/spec as "workspace:^"',
    ],
  }
  test.each(Object.entries(edges))('%s is reported', (_, [changes, problem]) => {
    expect(problemsWith(changes)).toEqual([problem])
  })

  test('an adapter may use the compatible adapter only where the table says so', () => {
    const adapter = (folder: string): Files => ({
      [`packages/${folder}/package.json`]: manifest(`@mnemark/${folder}`, {
        dependencies: { '@mnemark/embed-openai-compatible': 'workspace:^' },
      }),
      [`packages/${folder}/README.md`]: '#',
      [`packages/${folder}/tsconfig.json`]: '{}',
      [`packages/${folder}/src/index.ts`]: 'export {}\n',
    })
    expect(problemsWith(adapter('embed-lmstudio'))).toEqual([])
    expect(problemsWith(adapter('embed-voyage'))).toEqual([
      'packages/embed-voyage: dependencies has @mnemark/embed-openai-compatible, allowed are: spec, provider-kit',
    ])
  })
})

describe('files and fields', () => {
  test.each(['README.md', 'tsconfig.json', 'src/index.ts'])('a package without %s is reported', (file) => {
    expect(problemsWith({ [`packages/testkit/${file}`]: null })).toContain(`packages/testkit: ${file} is missing`)
  })

  test('an app needs no src/index.ts but a README', () => {
    expect(problemsWith({ 'apps/mnemark/README.md': null })).toEqual(['apps/mnemark: README.md is missing'])
  })

  const fields: Readonly<Record<string, readonly [JsonRecord, string]>> = {
    license: [{ license: undefined }, 'package.json needs "license": "MIT"'],
    type: [{ type: 'commonjs' }, 'package.json needs "type": "module"'],
    engines: [{ engines: {} }, 'package.json needs "engines": { "node": ... }'],
    files: [{ files: [] }, 'package.json needs "files": [...]'],
    description: [{ description: undefined }, 'package.json needs "description"'],
    sideEffects: [{ sideEffects: true }, 'package.json needs "sideEffects": false'],
    exports: [{ exports: undefined }, 'package.json needs "exports": { ".": ... }'],
    name: [{ name: '@mnemark/kernel' }, 'package.json needs a "name" that follows from its folder: @mnemark/core'],
  }
  test.each(Object.entries(fields))('a wrong or missing %s is reported', (_, [change, problem]) => {
    expect(problemsWith({ 'packages/core/package.json': core(change) })).toContain(`packages/core: ${problem}`)
  })

  test('exports without a source condition, or with default first, are reported', () => {
    const exports = { '.': { default: './dist/index.js', types: './dist/index.d.ts' } }
    expect(problemsWith({ 'packages/core/package.json': core({ exports }) })).toEqual([
      'packages/core: exports["."] needs mnemark-source, types and default, in that order',
    ])
  })

  test('exports of a source that does not exist are reported', () => {
    const exports = {
      '.': { 'mnemark-source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
      './embed': { 'mnemark-source': './src/embed.ts', types: './dist/embed.d.ts', default: './dist/embed.js' },
    }
    expect(problemsWith({ 'packages/core/package.json': core({ exports }) })).toEqual([
      'packages/core: exports["./embed"] names a source that is missing: ./src/embed.ts',
    ])
  })

  test('a manifest that is no JSON names its file', () => {
    expect(() => problemsWith({ 'packages/core/package.json': '{' })).toThrow(
      /packages.core.package\.json cannot be read as JSON/,
    )
  })
})

describe('what is published', () => {
  const fields: Readonly<Record<string, readonly [JsonRecord, string]>> = {
    'a Node that has no Node-API 10': [{ engines: { node: '>=22.13' } }, '"engines": { "node": ">=22.14" }'],
    'too few keywords': [{ keywords: ['mnemark'] }, '"keywords": three or more'],
    sources: [{ files: ['dist', 'src'] }, '"files" without sources: what is published is built'],
    'a homepage of another folder': [
      { homepage: `${REPOSITORY}/tree/main/packages/spec#readme` },
      `"homepage": "${REPOSITORY}/tree/main/packages/core#readme"`,
    ],
    'no place for bugs': [{ bugs: undefined }, `"bugs": "${REPOSITORY}/issues"`],
    'a repository without its folder': [
      { repository: { type: 'git', url: `git+${REPOSITORY}.git` } },
      `"repository": {"type":"git","url":"git+${REPOSITORY}.git","directory":"packages/core"}`,
    ],
  }
  test.each(Object.entries(fields))('%s is reported', (_, [change, rule]) => {
    expect(problemsWith({ 'packages/core/package.json': core(change) })).toEqual([`packages/core: package.json needs ${rule}`])
  })

  test.each(['2.9.1', '~2.9.1', '*', '>=2', 'latest'])('the range %s is reported (P86)', (range) => {
    const dependencies = { '@mnemark/spec': 'workspace:^', yaml: range }
    expect(problemsWith({ 'packages/core/package.json': core({ dependencies }) })).toEqual([
      `packages/core: dependencies has yaml as "${range}": a caret range is needed`,
    ])
  })

  test.each(['../../docs/cli.md', 'examples/notes.ts', '/docs', 'http://x.example'])('a link to %s is reported', (link) => {
    expect(problemsWith({ 'packages/core/README.md': `# core\n[a](#part), [b](https://x.example), [c](${link})` })).toEqual([
      `packages/core: README.md links to ${link}: registries show it elsewhere, begin with ${REPOSITORY}/blob/main/`,
    ])
  })

  test('a private package may leave all of it out', () => {
    const bench = { name: '@mnemark/bench', private: true, license: 'MIT', type: 'module', engines: { node: '>=24' } }
    expect(
      problemsWith({
        'apps/bench/package.json': { ...bench, dependencies: { yaml: '2.9.1' } },
        'apps/bench/README.md': '# bench\n[docs](../../docs/speed.md)',
        'apps/bench/tsconfig.json': '{}',
      }),
    ).toEqual([])
  })
})

describe('imports', () => {
  const undeclared: Readonly<Record<string, string>> = {
    'a plain import': "import { z } from 'zod'",
    'a type import over several lines': "import type {\n  A, // first\n  B,\n} from 'zod'",
    'a re-export of everything': "export * from 'zod'",
    'a default with names': "import z, { type A } from 'zod/v4'",
    'an import for its effect': "import 'zod'",
    'a dynamic import': "export const load = () => import('zod')",
  }
  test.each(Object.entries(undeclared))('%s of an undeclared package is reported', (_, code) => {
    expect(problemsWith({ 'packages/core/src/load.ts': `${code}\n` })).toEqual([
      'packages/core: src/load.ts imports zod, which package.json does not declare',
    ])
  })

  test('a development dependency used outside tests is reported', () => {
    expect(problemsWith({ 'packages/core/src/load.ts': "import '@mnemark/testkit'\n" })).toEqual([
      'packages/core: src/load.ts imports @mnemark/testkit, which package.json does not declare',
    ])
  })

  test('examples in comments, relative imports, words and addresses in strings are no imports', () => {
    const code = [
      "/** import { x } from 'zod' */",
      "// import 'zod'",
      "import './index.ts'",
      "export const from = 'zod'",
      "export const address = 'https://zod.example/x' // from 'zod'",
    ].join('\n')
    expect(problemsWith({ 'packages/core/src/load.ts': code })).toEqual([])
  })
})

describe('pure packages', () => {
  test.each(['node:crypto', 'node:fs', 'node:fs/promises', 'fs', 'node:net', 'node:http', 'node:https', 'node:child_process'])(
    '%s in core is reported',
    (name) => {
      expect(problemsWith({ 'packages/core/src/load.ts': `import * as x from '${name}'\nexport { x }\n` })).toEqual([
        `packages/core: src/load.ts uses ${name}; core takes effects as arguments`,
      ])
    },
  )

  test('a call of fetch in spec is reported, in a test it is not', () => {
    const code = "export const load = () => fetch('https://x.example')\n"
    expect(problemsWith({ 'packages/spec/src/load.ts': code, 'packages/spec/src/load.test.ts': code })).toEqual([
      'packages/spec: src/load.ts uses fetch(); spec takes effects as arguments',
    ])
  })

  test('other packages may use files and network', () => {
    expect(
      problemsWith({ 'packages/testkit/src/serve.ts': "import { createServer } from 'node:http'\nexport { createServer }\n" }),
    ).toEqual([])
  })
})

describe('folders and files of one package', () => {
  const a = 'packages/core/src'
  const broken: Readonly<Record<string, readonly [Files, string]>> = {
    'two files that import each other': [
      { [`${a}/text/one.ts`]: "import './two.ts'\n", [`${a}/text/two.ts`]: "import type { One } from './one.ts'\n" },
      'packages/core: src/text/one.ts, src/text/two.ts import each other in a circle',
    ],
    'three files in a circle': [
      {
        [`${a}/text/one.ts`]: "import './two.ts'\n",
        [`${a}/text/two.ts`]: "export * from './three.ts'\n",
        [`${a}/text/three.ts`]: "export const load = () => import('./one.ts')\n",
      },
      'packages/core: src/text/one.ts, src/text/three.ts, src/text/two.ts import each other in a circle',
    ],
    'two folders without an order whose files make no circle': [
      {
        [`${a}/text/left/one.ts`]: "import '../right/two.ts'\n",
        [`${a}/text/left/three.ts`]: 'export {}\n',
        [`${a}/text/right/two.ts`]: 'export {}\n',
        [`${a}/text/right/four.ts`]: "import '../left/three.ts'\n",
      },
      'packages/core: src/text/left, src/text/right import each other in a circle',
    ],
    'an import of a folder that stands higher': [
      { [`${a}/text/one.ts`]: "import '../search/two.ts'\n", [`${a}/search/two.ts`]: 'export {}\n' },
      'packages/core: src/text/one.ts imports src/search/two.ts, which stands higher in the package',
    ],
    'a folder without a place in the order': [
      { [`${a}/odds/one.ts`]: 'export {}\n' },
      'packages/core: src/odds has no place in FOLDERS_FROM_THE_TOP of tooling/package-rules.ts',
    ],
    'a folder with too many sources': [
      Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`${a}/text/file-${at}.ts`, 'export {}\n'])),
      'packages/core: src/text has 15 sources, at most are 14: group them by the question they answer',
    ],
  }
  test.each(Object.entries(broken))('%s are reported', (_, [files, problem]) => {
    expect(problemsWith(files)).toEqual([problem])
  })

  test('tests and fixtures may import upwards, and a full folder may have as many tests again', () => {
    const sources = Array.from({ length: 14 }, (_, at): [string, string] => [`${a}/text/file-${at}.ts`, 'export {}\n'])
    const tests = sources.map(([file], at): [string, string] => [
      file.replace('.ts', '.test.ts'),
      `import './file-${at}.ts'\nimport '../search/top.ts'\n`,
    ])
    expect(
      problemsWith({ ...Object.fromEntries([...sources, ...tests]), [`${a}/search/top.ts`]: "import '../text/file-0.ts'\n" }),
    ).toEqual([])
  })
})

test('a comment that begins with a fragment is reported, in a test or a fixture it is not', () => {
  const code = '/** What b is. */\nexport const b = 1\n'
  const folder = 'packages/core/src/text'
  expect(
    problemsWith({
      [`${folder}/b.ts`]: code,
      [`${folder}/b.test.ts`]: code,
      [`${folder}/__fixtures__/b.ts`]: code,
      'apps/mnemark/src/b.ts': code,
    }),
  ).toEqual([
    'packages/core: src/text/b.ts:1 has a comment that begins with "What": say the thing first',
    'apps/mnemark: src/b.ts:1 has a comment that begins with "What": say the thing first',
  ])
})
