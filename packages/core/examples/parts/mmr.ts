import { jaccard, selectDiverse } from '@mnemark/core/mmr'
import { termSet } from '@mnemark/core/text'

const texts = ['Router with VLAN 10 for IoT', 'The router has VLAN 10 for IoT', 'Subnets and gateways', 'DNS blocks trackers']
const notes = texts.map((text, at) => ({ text, terms: termSet(text), relevance: [0.92, 0.89, 0.85, 0.78][at] ?? 0 }))
const similarity = (left: (typeof notes)[number], right: (typeof notes)[number]) => jaccard(left.terms, right.terms)
for (const { candidate, value } of selectDiverse(notes, { lambda: 0.7, limit: 3, similarity }))
  console.log(candidate.relevance, value.toFixed(3), candidate.text)
