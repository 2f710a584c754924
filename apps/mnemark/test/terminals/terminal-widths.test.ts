import { expect, test } from 'vitest'
import { Sandbox } from '../harness/launcher.ts'
import { PseudoTerminal, replay } from '../harness/pseudo-terminal.ts'

// On terminals of three widths: no line is cut, and none is broken inside a word.

const LONG_PATH = `memory/${'a-long-name-of-a-folder/'.repeat(3)}the-note-with-a-long-name.md`
const ADDRESS = `https://example.org/${'handbook/'.repeat(15)}router.html`

const NOTES = {
  'MEMORY.md':
    '# Router\n\nThe router of the guest network stands in the hall beside the meter, and is restarted on the first Monday of each month by whoever comes first.\n',
  'memory/2026-03-16.md':
    '# الإطلاق\n\nقرر المدير تأجيل الإطلاق إلى يوم الخميس بعد مراجعة الميزانية مع الفريق، وسيعلن الموعد الجديد في الاجتماع القادم.\n',
  'memory/会议.md':
    '# 会议\n\n会议改到星期五下午三点，地点是二楼的大会议室，请大家提前准备好第三季度的预算报告和新产品的发布计划以及相关的材料。\n',
  [LONG_PATH]: `# Manual\n\nThe manual of the router is at ${ADDRESS} and nowhere else.\n`,
}

const COMMANDS: readonly (readonly string[])[] = [
  ['--help'],
  ['search', '--help'],
  ['search', 'router'],
  ['search', 'router', '--explain', '--keywords'],
  ['search', 'الإطلاق'],
  ['search', '会议'],
  ['search', 'manual router'],
  ['search', 'nothingthatisthere'],
  ['serch', 'router'],
  ['get', LONG_PATH.replace('the-note', 'a-note')],
  ['status'],
  ['config', 'check'],
]

/** Whether it stands alone, and has no place to be broken at. */
function isOneWord(line: string): boolean {
  return !/\s/.test(line.trim())
}

/** Both streams come in one, each line of isolated text is isolated anew. */
const plain = (text: string): string => text.replace(/[\u2066-\u2069]/g, '')
const words = (text: string): readonly string[] => (plain(text).match(/\S+/g) ?? []).toSorted()
const letters = (text: string): string => Array.from(plain(text).replace(/\s+/g, '')).toSorted().join('')

test('P60: on 40, 60 and 120 cells', async () => {
  const box = new Sandbox(NOTES)
  box.run(['index'])
  for (const argv of COMMANDS) {
    // On a pipe nothing is wrapped.
    const { stdout, stderr } = box.run(argv)
    const onPipe = stdout + stderr
    const isChinese = /\p{Script=Han}/u.test(onPipe)
    for (const columns of [40, 60, 120]) {
      const shown = await linesOn(box, argv, columns)
      expect(shown.filter(({ text, isBroken }) => isBroken && !isOneWord(text))).toEqual([])
      const onTerminal = shown.map(({ text }) => text).join('\n')
      expect(letters(onTerminal)).toBe(letters(onPipe))
      // Chinese is broken where it has no space.
      expect(isChinese ? [] : words(onTerminal)).toEqual(isChinese ? [] : words(onPipe))
    }
  }
})

/** The output of the command, and the lines that the terminal itself had to break. */
async function linesOn(
  box: Sandbox,
  argv: readonly string[],
  columns: number,
): Promise<readonly { readonly text: string; readonly isBroken: boolean }[]> {
  const { printed } = await new PseudoTerminal(box, argv, { columns }).ended()
  const shown: { text: string; isBroken: boolean }[] = []
  for (const { text, isWrapped } of (await replay(printed, columns)).lines) {
    const above = isWrapped ? shown.pop() : undefined
    shown.push({ text: (above?.text ?? '') + text, isBroken: isWrapped })
  }
  return shown
}
