import { chunkText } from '@mnemark/core/chunk'

const note =
  '# Home network\n\nThe router got its VLANs.\n\n## Printer\n\nIt is in VLAN 10.\n\n```sh\n# no heading\nping printer\n```\n'
for (const chunk of chunkText(note, { tokens: 20, overlap: 0 })) {
  console.log(`L${chunk.startLine}-L${chunk.endLine}`, chunk.headingTrail.join(' > '), JSON.stringify(chunk.text))
  console.log(note.slice(chunk.startOffset, chunk.startOffset + chunk.text.length) === chunk.text)
}
