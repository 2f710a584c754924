import { githubCopilotWire, githubTokenWire, SECRET, startProtocolServer } from '@mnemark/testkit'
import { describeEmbeddingProvider } from '@mnemark/testkit/vitest'
import { afterAll } from 'vitest'
import { createGitHubCopilot } from './create.ts'

const LOGIN = 'gho_loginOfATestAccount0123456789'

/** GitHub's server, beside the server of each case for Copilot: the key of the suite is the exchanged token. */
const github = await startProtocolServer(githubTokenWire({ tokens: [SECRET], fields: { refresh_in: 1500 } }), { apiKey: LOGIN })
afterAll(() => github.close())

describeEmbeddingProvider('github-copilot', {
  transport: 'http',
  create: ({ baseUrl, fetch, set }) =>
    createGitHubCopilot({
      githubToken: LOGIN,
      githubUrl: github.origin,
      baseUrl,
      // The suite follows requests to Copilot.
      fetch: (input, init) => (String(input).startsWith(github.origin) ? globalThis.fetch : fetch)(input, init),
      ...set,
    }),
  wire: githubCopilotWire,
  misconfigured: [
    { githubToken: undefined },
    { githubToken: ' ' },
    { githubToken: '${GH_TOKEN}' },
    { githubToken: 'gho_two\nlines' },
    { githubToken: 'github_pat_11ABCDEFG0123456789_abcdef' },
    { githubToken: 'ghp_personal0123456789' },
    { githubToken: 'ghs_ofActions0123456789' },
    { githubUrl: 'http://api.github.com' },
    { baseUrl: 'http://api.githubcopilot.com' },
    { headers: { Authorization: 'Bearer mine' } },
    { model: '' },
    { dimensions: 1537 },
    { timeoutMs: 0 },
  ],
  variations: { model: { model: 'next-model' }, dimensions: { dimensions: 512 }, variant: null },
  options: [
    { set: { dimensions: 512 }, expect: (body) => body['dimensions'] === 512 },
    {
      set: { model: 'text-embedding-3-small-inference' },
      expect: (body) => body['model'] === 'text-embedding-3-small-inference',
    },
    { set: { headers: { 'Editor-Version': 'vim/9' } }, expect: (_, { headers }) => headers['editor-version'] === 'vim/9' },
  ],
  deviations: [
    {
      id: 'E12',
      reason: 'a Copilot token may end before its time: a 401 is answered by one new token and one repeat (B59)',
      since: '2026-11',
    },
  ],
})
