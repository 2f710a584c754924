/** Ends in the line that holds the character before `until`; null: ends with a blank line. */
export interface HtmlBlock {
  readonly until: number | null
}

// The seven kinds of the CommonMark specification except comments, which are hidden before (see hidden-blocks.ts).
const RAW = /<(?:pre|script|style|textarea)(?=[\s>]|$)/imy
const RAW_END = /<\/(?:pre|script|style|textarea)>/gi
const OTHERS: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/<\?/y, /\?>/g],
  [/<!\[CDATA\[/y, /\]\]>/g],
  [/<![a-z]/iy, />/g],
]
const BLOCK_TAG =
  /<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[ \t\r]|\/?>|$)/imy
/** Matches one tag alone in its line. */
const ANY_TAG =
  /(?:<[a-z][a-z0-9-]*(?:[ \t]+[a-z_:][a-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^ \t\r\n"'=<>`]+|'[^'\n]*'|"[^"\n]*"))?)*[ \t]*\/?>|<\/[a-z][a-z0-9-]*[ \t]*>)[ \t]*\r?$/imy

/**
 * Finds the kind of block that begins at `at`, which holds `<`. Made for each text: an end that was missing once is not
 * searched again.
 */
export function createHtmlFinder(text: string): (at: number, isInParagraph: boolean) => HtmlBlock | undefined {
  const unclosed = new Set<RegExp>()
  // An unclosed block does not count (in CommonMark it would run to the end), so that it cannot take the headings of
  // the rest of a file.
  const closedBy = (end: RegExp, at: number): HtmlBlock | undefined => {
    if (unclosed.has(end)) return undefined
    end.lastIndex = at
    if (end.test(text)) return { until: end.lastIndex }
    unclosed.add(end)
    return undefined
  }
  return (at, isInParagraph) => {
    if (begins(RAW, text, at)) return closedBy(RAW_END, at)
    for (const [start, end] of OTHERS) if (begins(start, text, at)) return closedBy(end, at)
    if (begins(BLOCK_TAG, text, at) || (!isInParagraph && begins(ANY_TAG, text, at))) return { until: null }
    return undefined
  }
}

function begins(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
