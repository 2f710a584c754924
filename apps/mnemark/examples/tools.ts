import { openMemoryTools } from 'mnemark/tools'

await using memory = await openMemoryTools({ workspace: '~/notes' })
console.log(memory.definitions.map(({ name }) => name)) // for any model API: names, descriptions, inputs as JSON Schema

await memory.call('memory_append', { text: '- The printer is on VLAN 20' })
const { text, isError } = await memory.call('memory_search', { query: 'printer' }) // what a model called
console.log(isError, text)
