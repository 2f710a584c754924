/** Attributes of the root element of a chart: readable on light and dark pages. */
export const CHART_STYLE = 'role="img" font-family="system-ui, sans-serif" font-size="12" fill="#777"'

/** Text that cannot break out of an SVG document. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The name of a chart, for readers and for those who hear it. */
export function heading(title: string, left: number): string {
  const text = escaped(title)
  return `<title>${text}</title>\n<text x="${left}" y="20" font-size="14" font-weight="600">${text}</text>`
}
