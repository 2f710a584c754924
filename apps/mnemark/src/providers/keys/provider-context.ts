import type { Settings } from '../../config/load-settings.ts'

/** The input for choosing providers: the settings of one agent, and the places of keys. */
export type ProviderSources = Pick<Settings, 'agentId' | 'workspace' | 'trustedFile' | 'config' | 'provider' | 'environment'>
