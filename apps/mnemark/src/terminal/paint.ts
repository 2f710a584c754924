import picocolors from 'picocolors'

export interface Paint {
  bold(text: string): string
  dim(text: string): string
  highlight(text: string): string
}

export function createPaint(hasColour: boolean): Paint {
  const colors = picocolors.createColors(hasColour)
  return {
    bold: (text) => colors.bold(text),
    dim: (text) => colors.dim(text),
    highlight: (text) => colors.bold(colors.yellow(text)),
  }
}
