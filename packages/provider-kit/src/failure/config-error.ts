import { ProviderError } from '@mnemark/spec'

/** For constructors: what is wrong with a setting, and what to do. Neither may hold the value of a secret. */
export function configError(provider: string, problem: string, nextStep: string): ProviderError {
  return new ProviderError('config', `${provider}: ${problem}. ${nextStep}`, { provider })
}
