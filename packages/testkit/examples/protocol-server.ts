import { openAIWire, startProtocolServer } from '@mnemark/testkit'

await using server = await startProtocolServer(openAIWire, { apiKey: 'sk-test' })
server.behave({ delivery: 'gzip', shape: { order: [1, 0] } }) // faults, until the next behave

const response = await fetch(`${server.baseUrl}/embeddings`, {
  method: 'POST',
  headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'text-embedding-3-small', input: ['a note', 'another'], dimensions: 2 }),
})
console.log(response.status, response.headers.get('content-encoding')) // 200 gzip
console.log(server.calls[0]?.texts) // [ 'a note', 'another' ]
console.log(server.requests[0]?.path) // /v1/embeddings
