import { expect, test } from 'vitest'
import { DocumentedHome } from './documented-home.ts'
import { tryPage } from './try-page.ts'

async function problemsOf(text: string, folder = '.'): Promise<readonly string[]> {
  await using home = await DocumentedHome.make()
  return await tryPage({ path: 'page.md', text, folder, home: async () => home, isRun: (program) => program === 'run()' })
}

const shell = (...lines: readonly string[]): string => ['```sh', ...lines, '```'].join('\n')

test('P65: a note is read where the page is typed in the folder of notes, and not in the root of the checkout', async () => {
  const page = shell('mnemark get memory/home-network.md --from 9')
  expect(await problemsOf(page, '~/notes')).toEqual([])
  expect(await problemsOf(page)).toEqual([expect.stringContaining('page.md:1: ended with')])
  expect(await problemsOf(`<!-- in ~/notes -->\n${page}`)).toEqual([])
})

test('a command that ends otherwise than the page says is a problem, also in the middle of a block', async () => {
  expect(await problemsOf(shell('false', 'true'))).toEqual([expect.stringMatching(/^page.md:1: ended with 1\n/u)])
  expect(await problemsOf(`<!-- exits 1: why -->\n${shell('false')}`)).toEqual([])
  expect(await problemsOf(`<!-- exits 1: why -->\n${shell('true')}`)).toEqual([expect.stringContaining('ended with 0')])
  expect(await problemsOf(shell('KEY=x node --version'))).toEqual([
    'page.md:1: a Node older than 24 cannot run it; let npm start it',
  ])
})

test('what is not run names a test that is there', async () => {
  expect(await problemsOf(`<!-- not run: why; tested by tooling/run.test.ts -->\n${shell('false')}`)).toEqual([])
  expect(await problemsOf(`<!-- not run: why; tested by nowhere.test.ts -->\n${shell('true')}`)).toEqual([
    'page.md:2: there is no nowhere.test.ts',
  ])
  expect(await problemsOf(`<!-- not run: why -->\n${shell('false')}`)).toHaveLength(1)
})

test('programs, configurations and data are held to what runs and reads them', async () => {
  expect(await problemsOf('```ts\nrun()\n```\n```ts\nother()\n```')).toEqual([
    expect.stringMatching(/^page.md:4: a program that no/u),
  ])
  expect(await problemsOf('```json5\n{ memory: { backend: "builtin" } }\n```')).toEqual([])
  expect(await problemsOf('```json5\n{ memory: { backend: "other" } }\n```')).toEqual([
    expect.stringContaining('no good configuration'),
  ])
  expect(await problemsOf('```json\n{\n```\n```js\n1\n```')).toEqual([
    expect.stringContaining('page.md:1: no JSON'),
    'page.md:4: nobody says how js is tried',
  ])
})

test('commands in sentences are run, or held against the help where they only name a command', async () => {
  expect(await problemsOf('`mnemark get memory/recipes.md` `mnemark get PATH --from 9`', '~/notes')).toEqual([])
  expect(await problemsOf('`mnemark gett memory/recipes.md` `mnemark get PATH --fromm 9`', '~/notes')).toEqual([
    expect.stringContaining('`mnemark gett memory/recipes.md`: ended with 2'),
    'page.md: `mnemark get PATH --fromm 9`: its help has no --fromm',
  ])
})
