/** `about 12,300 tokens, about $0.0002`. */
export function tokensText({ tokens, usd }: { readonly tokens: number; readonly usd?: number | undefined }): string {
  const count = `about ${tokens.toLocaleString('en')} tokens`
  return usd === undefined ? count : `${count}, about ${dollars(usd)}`
}

/** At least two decimals, and two significant digits. */
export function dollars(usd: number): string {
  if (usd === 0 || usd >= 0.1) return `$${usd.toFixed(2)}`
  return `$${usd.toFixed(Math.min(8, 1 - Math.floor(Math.log10(usd))))}`
}
