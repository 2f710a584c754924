/** Environment variables that hold a key, in the order they are looked at. A key is sent to its own provider only. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  voyage: ['VOYAGE_API_KEY'],
  mistral: ['MISTRAL_API_KEY'],
  ollama: ['OLLAMA_API_KEY'],
  // GITHUB_TOKEN and GH_TOKEN are for other things, and most have no Copilot seat.
  'github-copilot': ['COPILOT_GITHUB_TOKEN'],
}

/** The services that `auto` takes when there is a key for them, first come first. All others only when named. */
export const AUTOMATIC_SERVICES = ['openai', 'gemini', 'voyage', 'mistral'] as const
