import { entityKey, parseDocument } from '@mnemark/core/document'

const text = '# Trip\n\n- pack\n\n```\n# no heading\n```\n'
const { title, from, outline } = parseDocument({ source: 'memory', path: 'memory/2026-03-01.md' }, { text })
console.log(title, from, outline.kinds.join(' '), entityKey('@José') === entityKey('[[jose]]'))
