import { foldWord } from '@mnemark/core/text'

/** Words that say "at present" and nothing else, folded. */
export const NOW_WORDS: ReadonlySet<string> = new Set(
  [
    ['now', 'currently', 'nowadays', 'presently', 'today'],
    ['jetzt', 'derzeit', 'aktuell', 'heute'],
    ['ahora', 'actualmente', 'hoy'],
    ['maintenant', 'actuellement'],
    ['agora', 'atualmente', 'ora', 'adesso'],
    ['الآن', 'حاليا', 'حالياً', 'اليوم'],
    ['اکنون', 'الان', 'فعلا'],
    ['сейчас', 'теперь'],
  ]
    .flat()
    .map(foldWord),
)
/** The same in scripts without blanks. */
export const UNSPACED_NOW: RegExp = /现在|目前|如今|現在|目下|今は|いま/gu
