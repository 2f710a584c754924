import { normaliseEndpoint, parseBaseUrl, requireText } from '@mnemark/provider-kit'

const BASE_URL = 'http://localhost:1234'

/** The address of the server alone: what clients of its APIs want at the end is taken off. Throws `config`. */
export function serverAddress(provider: string, baseUrl: string = BASE_URL): string {
  const given = requireText(provider, 'baseUrl', baseUrl)
  // As the app shows it: `localhost:1234`.
  const url = parseBaseUrl(provider, given.includes('://') ? given : `http://${given}`)
  return normaliseEndpoint(url).replace(/\/(?:api\/)?v[01](?:\/(?:embeddings|models))?$/, '')
}
