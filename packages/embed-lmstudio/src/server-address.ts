import { normaliseEndpoint, parseBaseUrl, requireText, serverUrl } from '@mnemark/provider-kit'

const USUAL_PORT = 1234
const BASE_URL = `http://localhost:${USUAL_PORT}`

/** The address of the server alone: what clients of its APIs want at the end is taken off. Throws `config`. */
export function serverAddress(provider: string, baseUrl: string = BASE_URL): string {
  const url = parseBaseUrl(provider, serverUrl(requireText(provider, 'baseUrl', baseUrl), USUAL_PORT))
  return normaliseEndpoint(url).replace(/\/(?:api\/)?v[01](?:\/(?:embeddings|models))?$/, '')
}
