import type { Settings } from '../../config/load-settings.ts'

/** What the choice of providers looks at: the settings of one agent, and where keys may be. */
export type ProviderSources = Pick<Settings, 'agentId' | 'workspace' | 'trustedFile' | 'config' | 'provider' | 'environment'>
