import { keywordIndex } from '@mnemark/core/keywords'

const index = keywordIndex([
  ['deploy', 'Deploys go through the blue cluster.'],
  ['launch', 'قررنا تأجيل الإطلاق إلى يوم الأحد.'],
  ['ticket', 'Ticket OC-41252: the cluster was red.'],
])
for (const query of ['deploying by cluster', 'اطلاق', 'OC-41252', '"blue cluster"', 'cluster -red']) {
  const hits = await index.search(query)
  console.log(query, hits.map(({ id, score }) => `${id} ${score.toFixed(2)}`).join(', '))
}
