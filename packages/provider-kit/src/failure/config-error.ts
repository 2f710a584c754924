import { ProviderError } from '@mnemark/spec'

/** The error of a constructor: the problem with a setting, and the next step. Neither may hold the value of a secret. */
export function configError(provider: string, problem: string, nextStep: string): ProviderError {
  return new ProviderError('config', `${provider}: ${problem}. ${nextStep}`, { provider })
}
