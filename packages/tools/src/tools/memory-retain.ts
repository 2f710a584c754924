import * as v from 'valibot'
import { harmlessName } from '../reply/data-envelope.ts'
import type { FactToRetain } from '../host/host.ts'
import type { MemoryTool } from '../definition/memory-tool.ts'
import { request, texts } from '../definition/tool-input.ts'

const short = v.pipe(v.string(), v.maxLength(500))
const confidence = 'expected a number from 0 to 1'

/** The members of a fact, for tools and the HTTP API. */
export const factMembers: Parameters<typeof v.strictObject>[0] = {
  text: v.pipe(v.string(), v.minLength(1), v.maxLength(2_000), v.description('One statement that stands by itself.')),
  kind: v.exactOptional(
    v.pipe(
      v.picklist(['world', 'experience', 'opinion', 'observation'], 'expected world, experience, opinion or observation'),
      v.description(
        'world (default): what is so. experience: what you did. opinion: what somebody holds. observation: a summary.',
      ),
    ),
  ),
  entities: v.exactOptional(v.pipe(texts, v.description('Whom or what it is about: names.'))),
  confidence: v.exactOptional(
    v.pipe(v.number(confidence), v.minValue(0, confidence), v.maxValue(1, confidence), v.description('For an opinion: 0 to 1.')),
  ),
  on: v.exactOptional(v.pipe(short, v.description('When it was true: a day, or two with .. between; today when left out.'))),
  corrects: v.exactOptional(v.pipe(short, v.description('The fact it puts right: ^id, or path#L12.'))),
  retracts: v.exactOptional(v.pipe(short, v.description('The fact it takes back.'))),
  again: v.exactOptional(v.pipe(v.boolean(), v.description('Write it although it stands there already.'))),
}

const input = request<FactToRetain>(factMembers)

/** Adds one fact under the Retain heading of today's log. */
export const memoryRetain: MemoryTool<FactToRetain> = {
  name: 'memory_retain',
  title: 'Retain a fact',
  effects: { isReadOnly: false, isIdempotent: true },
  input,
  aliases: {},
  describe: () =>
    "Adds one fact, with its kind, names and days, to today's log. The same fact is not written twice. For running notes use memory_append.",
  run: async (host, fact, call) => {
    const report = await host.retain?.(fact, call)
    if (report === undefined) throw new TypeError('facts of this memory cannot be retained')
    const { status, startLine, endLine, factId } = report
    const path = harmlessName(report.path)
    const place = `${path}#L${startLine}-L${endLine}`
    const words =
      status === 'written' ? `Retained in ${place}, ^${factId}.` : `This stands already in ${place}; nothing was written.`
    const data = { path, status, startLine, endLine, factId }
    if (report.warning === undefined) return { text: words, data }
    const warning = harmlessName(report.warning)
    return { text: `${words} ${warning} Tell the user.`, data: { ...data, warning } }
  },
}
