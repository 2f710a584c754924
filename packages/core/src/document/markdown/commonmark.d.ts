// Neither package has types; these cover what the test uses.
declare module 'commonmark-spec' {
  const spec: {
    readonly tests: readonly { readonly number: number; readonly section: string; readonly markdown: string }[]
  }
  export default spec
}
declare module 'commonmark' {
  export interface Node {
    readonly type: string
    readonly parent: Node | null
    readonly _isFenced: boolean
    readonly sourcepos: readonly [readonly [line: number, column: number], readonly [line: number, column: number]]
    walker(): { next(): { readonly entering: boolean; readonly node: Node } | null }
  }
  export class Parser {
    parse(text: string): Node
  }
}
