// The part of launch-editor that knows how editors take a line; its types describe its main entry only.
declare module 'launch-editor/get-args.js' {
  export default function getArgumentsForFile(
    editor: string,
    file: string,
    line?: number,
    column?: number,
  ): readonly (string | number)[]
}
