import { createOllama } from '@mnemark/embed-ollama'

const [baseUrl, model] = process.argv.slice(2)
const texts = ['The router hangs on the wall behind the printer.', 'الراوتر معلّق على الحائط خلف الطابعة.']

try {
  const provider = createOllama({ baseUrl, model })
  const { vectors } = await provider.embed({ inputs: texts.map((text) => ({ type: 'text', text })), inputType: 'document' })
  const [english, arabic] = vectors.map((vector) => [...(vector ?? [])])
  // Vectors have unit length, so this sum is the cosine of the angle between them.
  const similarity = english?.reduce((sum, value, index) => sum + value * (arabic?.[index] ?? 0), 0)
  console.log(`${vectors.length} vectors of ${english?.length} numbers, similarity ${similarity?.toFixed(3)}`)
} catch (error) {
  // A provider's errors say what happened and what to do next.
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
