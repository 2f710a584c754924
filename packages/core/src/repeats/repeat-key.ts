const MONTH = [
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?',
  'يناير|فبراير|مارس|أبريل|إبريل|مايو|يونيو|يونيه|يوليو|يوليه|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر',
  'كانون الثاني|شباط|آذار|نيسان|أيار|حزيران|تموز|آب|أيلول|تشرين الأول|تشرين الثاني|كانون الأول',
].join('|')
const WEEKDAY = [
  '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?',
  'الاثنين|الإثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد',
  '(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]',
].join('|')
const NUMBER = '\\p{Nd}+(?:[-/._:,]\\p{Nd}+){0,7}'
const CALENDAR_DAY = '\\p{Nd}{4}[-/._]\\p{Nd}{1,2}[-/._]\\p{Nd}{1,2}|\\p{Nd}{4}年\\p{Nd}{1,2}月\\p{Nd}{1,2}[日号號]'
const WORD_START = '(?<![\\p{L}\\p{N}])'
const WORD_END = '(?![\\p{L}\\p{N}])'
const ORDINAL = '(?:st|nd|rd|th)?'

/** "Sat, 14 March 2026", "March 14th", "3 مارس": month names count as part of a date only beside a number. */
const NAMED_DATE = pattern(
  `${WORD_START}(?:(?:${WEEKDAY})\\.?,?\\s+)?(?:(?:${NUMBER})${ORDINAL}[\\s-]+(?:of\\s+|من\\s+)?(?:${MONTH})\\.?(?:[,،]?[\\s-]+\\p{Nd}{4})?|(?:${MONTH})\\.?\\s+(?:the\\s+)?\\p{Nd}{1,4}${ORDINAL}(?:,?\\s+\\p{Nd}{4})?)${WORD_END}`,
)
/** Names of weekdays beside a full date; anywhere else they are content. */
const DATE_WITH_WEEKDAY = pattern(
  `(?:(?:${WEEKDAY})\\.?[,،]?\\s*)?(?:${CALENDAR_DAY})(?:\\s*[(（,،]?\\s*(?:${WEEKDAY})${WORD_END}[)）]?)?`,
)
/** Numbers with what makes a clock time or a date of them; in the end every number goes. */
const NUMBERS = pattern(
  `(?:上午|下午|凌晨|晚上)?${NUMBER}(?:t(?=\\p{Nd})|z${WORD_END}|(?:st|nd|rd|th)${WORD_END}|\\s?[ap]\\.?m${WORD_END}\\.?|\\s?[صم]${WORD_END}|[年月日号號时時点點分秒])?(?:\\s?(?:utc|gmt|ces?t|[ecmp][sd]t)(?:[+-]${NUMBER})?${WORD_END})?`,
)
const BULLET = /^[ \t]*(?:[-*+•·◦▪‣–—]|\p{Nd}+[.)])(?=[ \t])/gmu
const SPACE = /\s+/gu
const ANY_DIGIT = /\p{Nd}/u

/**
 * A text without dates, times, digits of any script, bullets and white space: equal for an entry written again at another
 * time. A text of nothing else stands for itself, so that two of those are equal only when they are the same text.
 */
export function repeatKey(text: string): string {
  const composed = text.normalize('NFC')
  const withoutBullets = composed.replace(BULLET, '')
  const timeless = ANY_DIGIT.test(withoutBullets)
    ? withoutBullets.replace(NAMED_DATE, '').replace(DATE_WITH_WEEKDAY, '').replace(NUMBERS, '')
    : withoutBullets
  const key = timeless.replace(SPACE, '')
  return key === '' ? composed : key
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'giu')
}
