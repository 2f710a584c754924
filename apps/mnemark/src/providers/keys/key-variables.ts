/** Environment variables that hold a key, in the order they are tried. A key is sent only to its own service: see `isOwnHost`. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  voyage: ['VOYAGE_API_KEY'],
  mistral: ['MISTRAL_API_KEY'],
  cohere: ['COHERE_API_KEY', 'CO_API_KEY'],
  ollama: ['OLLAMA_API_KEY'],
  // GITHUB_TOKEN and GH_TOKEN serve other purposes, and most have no Copilot seat.
  'github-copilot': ['COPILOT_GITHUB_TOKEN'],
}

/** Services that `auto` uses if there is a key for them, in this order. All others must be named. */
export const AUTOMATIC_SERVICES = ['openai', 'gemini', 'voyage', 'mistral'] as const

/** Hosts of each service, subdomains included: any other URL needs a key configured for it. */
const SERVICE_HOSTS: Readonly<Record<string, readonly string[]>> = {
  openai: ['api.openai.com'],
  gemini: ['generativelanguage.googleapis.com'],
  voyage: ['api.voyageai.com'],
  mistral: ['api.mistral.ai'],
  cohere: ['api.cohere.com', 'api.cohere.ai'],
  // On this machine its key is a placeholder.
  ollama: ['ollama.com', 'localhost', '127.0.0.1', '[::1]'],
  'github-copilot': ['githubcopilot.com'],
  bedrock: ['amazonaws.com', 'amazonaws.com.cn', 'api.aws'],
}

/** True if a key that the environment or another program holds for a service may go to `baseUrl`. */
export function isOwnHost(id: string, baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false
  const { hostname, protocol } = new URL(baseUrl)
  const own = SERVICE_HOSTS[id]?.find((host) => hostname === host || hostname.endsWith(`.${host}`))
  return own !== undefined && (protocol === 'https:' || !own.includes('.') || /^[\d.[]/.test(own))
}
