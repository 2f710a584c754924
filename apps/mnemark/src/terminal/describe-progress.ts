import type { SyncProgress } from '@mnemark/spec'
import { dollars } from './tokens-text.ts'

/** The progress of a sync, or of searches. */
export type Progress = Omit<SyncProgress, 'phase'> & { readonly phase: SyncProgress['phase'] | 'search' }

/** The text beside the bar of one phase. `sinceMs` and `sinceDone` count from the phase's first event. */
export function describeProgress(
  { phase, done, total, tokens, usd }: Progress,
  { sinceMs, sinceDone }: { readonly sinceMs: number; readonly sinceDone: number },
): string {
  const perSecond = sinceMs > 0 ? ((done - sinceDone) * 1000) / sinceMs : 0
  const parts = [
    UNITS[phase],
    tokens === undefined || tokens === 0 ? '' : `${tokens.toLocaleString('en')} tokens`,
    usd === undefined ? '' : dollars(usd),
    perSecond === 0 ? '' : `${perSecond.toLocaleString('en', { maximumSignificantDigits: 2 })}/s`,
    perSecond === 0 || total === null || done >= total ? '' : `${duration((total - done) / perSecond)} left`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

const UNITS: Record<Progress['phase'], string> = {
  list: 'documents',
  text: 'documents',
  vectors: 'texts',
  batch: 'texts',
  search: 'searches',
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
