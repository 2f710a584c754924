import { fuseReciprocalRank, fuseWeighted, scaleByBest } from '@mnemark/core/hybrid'

const byMeaning = [
  { id: 'a', score: 0.9 },
  { id: 'b', score: 0.4 },
] // cosines
const byWords = scaleByBest([
  { id: 'b', score: 12 },
  { id: 'c', score: 6 },
]) // BM25, as shares of the best
for (const { id, score, parts } of fuseWeighted([byMeaning, byWords], [0.7, 0.3]))
  console.log(id, score.toFixed(2), parts.map((part) => part?.part.toFixed(2) ?? '-').join(' + '))
console.log(
  fuseReciprocalRank([byMeaning, byWords], [1, 1])
    .map(({ id, score }) => `${id} ${score.toFixed(3)}`)
    .join(', '),
)
