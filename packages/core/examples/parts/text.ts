import { detectLanguage, estimateTokens, foldWord, stemsOf, wordsOf } from '@mnemark/core/text'

const note = 'قرّرنا تأجيل الإطلاق. Deploys moved.'
for (const word of wordsOf(note)) console.log(note.slice(word.start, word.end), word.term, stemsOf(word, 'en').join(' '))
console.log(foldWord('Ｃafé') === foldWord('café'), detectLanguage('Wir haben den Start auf Sonntag verschoben.'))
console.log(estimateTokens('东京的会议改到星期五'))
