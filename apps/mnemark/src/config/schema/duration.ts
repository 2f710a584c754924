const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a text such as "5m", "90s", "1h30m" or "0"; null for anything else. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '0') return 0
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd])\s*)+$/.test(trimmed)) return null
  const parts = [...trimmed.matchAll(/(\d{1,15}(?:\.\d{1,15})?)(ms|[smhd])/g)]
  const ms = Math.round(parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0))
  return Number.isSafeInteger(ms) ? ms : null
}
