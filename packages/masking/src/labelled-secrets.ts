import { isCode, isKeyLike, isMixed, isPath, isRandom, KEY_WORD, PASSWORD_WORD } from './secret-words.ts'
import { matches } from './ranges.ts'
import type { Range } from './ranges.ts'

const QUOTES = String.raw`"'\x60“”„«»「」‘’`
/** The sign or verb that joins a label to its value. */
const SIGN = String.raw`[:=：＝]|=>|->|→|—|–`
const VERB = String.raw`\b(?:is|was|lautet|ist|es|est|è|jest|este|er|är|on|to)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])é(?![\p{L}\p{N}])|(?:是|為|为|は|が|은|는|이|هي|هو|है|là|คือ|היא|הוא)`
const JOIN = String.raw`["'\x60*_)\]]{0,4}[ \t]{0,20}(?:${SIGN}|${VERB})[ \t"'\x60*_“„«「‘]{0,6}`
const SUFFIX = String.raw`[\p{L}\p{N}_-]{0,20}`
/** A few words between: `password for the old router is`. */
const BETWEEN = String.raw`(?:[ \t]{1,3}[^\s:=|,.;!?"'\x60]{1,30}){0,10}`
const VALUE = String.raw`[^\s"'\x60|,;<>*“”„«»「」‘’，。；、！？（）【】]`
const PIN_WORD = String.raw`(?<![\p{L}\p{N}])(?:pins?(?:[ -]?(?:code|number|nummer))?|puk|cvv2?|cvc2?|(?:access|door|gate|alarm|entry|security|unlock|lock|safe|passkey|verification|one-time|otp|2fa|mfa|sms|voicemail|sim|screen|card)[ -]code|geheimzahl|code pin|код|пин(?:-код)?)(?![\p{L}\p{N}])`

const AFTER_PASSWORD = new RegExp(String.raw`(?:${PASSWORD_WORD})${SUFFIX}${BETWEEN}${JOIN}(${VALUE}{4,200})`, 'dgiu')
/** Remarks about a password, such as `is wrong`; not the password itself. */
const REMARK =
  /^(?:\p{L}{1,20}ed|wrong|right|correct|incorrect|invalid|valid|empty|missing|weak|strong|safe|unsafe|secure|insecure|secret|hidden|shown|known|unknown|unset|good|fine|important|optional|mandatory|different|same|there|here|written|kept|gone|lost|easy|hard|long|short|too|not|also|only|just|never|always|still|now|under|with|from|what|falsch|richtig|leer|sicher|incorrecta?|correcta?|incorrecte|fausse?)[.!?]{0,3}$/iu
const QUOTED_PASSWORD = new RegExp(
  String.raw`(?:${PASSWORD_WORD})(?:${SUFFIX}${BETWEEN}${JOIN}|[ \t]{1,4})(?<![\p{L}\p{N}])[${QUOTES}]([^${QUOTES}\n]{4,100})[${QUOTES}]`,
  'dgiu',
)
/** `password hunter2`, without anything between. */
const BARE_PASSWORD = new RegExp(String.raw`(?:${PASSWORD_WORD})[ \t]{1,4}["'\x60(]{0,2}(${VALUE}{5,200})`, 'dgiu')
/** `use hunter2 as the password`. */
const BEFORE_PASSWORD = new RegExp(
  String.raw`(?<!\S)["'\x60]{0,2}(${VALUE}{5,100})["'\x60]{0,2}[ \t](?:as|is|was|für|als|comme|como|come|jako)[ \t](?:[^\s:=|,.;]{1,20}[ \t]){0,3}(?:${PASSWORD_WORD})`,
  'dgiu',
)
/** `DB_PASS=`, `pass: …`: the short word means a password only where it is a name. */
const SHORT_PASSWORD = new RegExp(
  String.raw`(?:(?<=[a-z\d]_)|(?<![\p{L}\p{N}_-]))(?:pass|pw|passwd|psw|psk)["'\x60*_)]{0,4}[ \t]{0,4}[:=][ \t"'\x60*_]{0,6}(${VALUE}{4,200})`,
  'dgiu',
)
/** `token q7Z…`, without anything between, and `key: …`, which is more often the key of a map. */
const BARE_KEY = new RegExp(
  String.raw`(?:(?:${KEY_WORD})[ \t]{1,4}|(?<![\p{L}\p{N}_-])keys?[ \t]{0,4}[:=][ \t]{0,4})["'\x60]{0,2}([\w+/=.-]{16,400})`,
  'dgiu',
)
const IS_UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu
/** `login is ada@example.org / hunter2`, `log in as ada/hunter2`, `Wi-Fi: Home / hunter2`. */
const LOGIN_PAIR =
  /(?:log ?ins?|credentials?|accounts?|wi-?fi|wlan|ssid)(?![\p{L}\p{N}])[^\n/]{0,60}(?:[ \t]\/[ \t]|(?<=[ \t]as[ \t][^\s/]{1,60})\/)([^\s"'\x60|,;<>*/]{5,100})/dgiu
/** Words that describe a key, such as its type or name; not the key itself. */
const NO_KEY = String.raw`(?![ _-]?(?:type|ur[il]|name|count|limit|length|size|budget|usage|provider|expir|endpoint|file|path|kind|format|header))`
const AFTER_KEY = new RegExp(
  String.raw`(?:${KEY_WORD})${NO_KEY}${SUFFIX}${BETWEEN}${JOIN}([^\s"'\x60|,;<>*()[\]{}“”„«»「」‘’，。；、！？（）【】]{8,400})`,
  'dgiu',
)
const AFTER_PIN = new RegExp(
  String.raw`${PIN_WORD}(?:${BETWEEN}${JOIN}|[ \t]{1,3})[#*]?(\d{2,4}(?:[ -]\d{2,4}){1,3}|\d{3,12})(?![\d.,-]\d|[%€$])`,
  'dgiu',
)
/** A variable in capitals whose name says secret, or whose value can be nothing else. */
const SETTING =
  /(?<![\w-])([A-Z][A-Z\d_]{1,80})[ \t]{0,2}=[ \t]{0,2}(?:"([^"\n]{4,4000})"|'([^'\n]{4,4000})'|([^\s"'\x60#][^\s"'\x60]{3,4000}))/dgu
const SECRET_NAME =
  /(?:KEY|TOKEN|SECRETS?|PASS|PASSWD|PASSWORD|PASSPHRASE|PWD|PW|CREDENTIALS?|CREDS?|AUTH|SALT|PRIVATE|SIGNATURE|WEBHOOK(?:_URL)?|COOKIE|PEPPER|SEED|MNEMONIC|PIN|DSN|CONNECTION_STRING)$/u
const OPEN_NAME = /(?:PUBLIC_KEY|PUBLISHABLE_KEY|PRIMARY_KEY|FOREIGN_KEY|SORT_KEY|PARTITION_KEY)$/u
/** Codes that replace a lost second factor, and the words that are a wallet. */
const CODES =
  /(?:backup|recovery|rescue|scratch|emergency)[ -]codes?[^\n:=]{0,40}[:=][ \t]{0,4}((?:[ \t]{0,4}(?:\r?\n[ \t]{0,6})?(?:[-*][ \t]{1,4}|\d{1,2}[.)][ \t]{1,4})?[\w-]{4,40}[,;]?(?=\s|$)){1,40})/dgiu
const PHRASE = /(?:seed|recovery|mnemonic|backup|wallet|secret)[ -]?(?:phrase|words|seed)|mnemonic/giu
const PHRASE_AFTER =
  /^[^\n:=]{0,60}[:=*_\x60]{0,4}((?:[\s*_\x60"']{1,6}(?:\d{1,2}[.):]?[ \t]{0,3})?[a-z]{3,8}[,*_\x60"']{0,3}){11,26})/du
/** A line of nothing but so many short words in small letters. */
const BARE_PHRASE = /^[ \t>*-]{0,6}["'\x60]?((?:[a-z]{3,8} ){11}[a-z]{3,8}(?: [a-z]{3,8}){0,12})["'\x60]?[ \t]{0,4}$/dgmu
const PHRASE_LENGTHS = [12, 15, 18, 21, 24, 25]
/** Common words that a recovery phrase never contains and a sentence of twelve words nearly always does. */
const SENTENCE_WORD =
  /\b(?:the|and|for|with|from|was|were|are|not|but|they|has|had|have|his|her|our|its|who|been|than|then|which|when)\b/u

/** Finds the values after, before or below a word for a password, a key, a PIN or a wallet. */
export function labelledSecrets(text: string): readonly Range[] {
  const valueOf = ([start, end]: Range): string => text.slice(start, end)
  const isValue = (range: Range): boolean => isMixed(valueOf(range))
  const isNoCode = (range: Range): boolean => !isPath(valueOf(range)) && !isCode(valueOf(range))
  return [
    ...matches(text, QUOTED_PASSWORD).filter((range) => isNoCode(range) && !/^\s|\s$/u.test(valueOf(range))),
    ...matches(text, AFTER_PASSWORD).filter(
      (range) => isNoCode(range) && (isValue(range) || (isAlone(text, range[1]) && !REMARK.test(valueOf(range)))),
    ),
    ...matches(text, BARE_PASSWORD).filter(
      ([start, end]) => /\d/u.test(text.slice(start, end)) && isWordLike(text.slice(start, end)),
    ),
    ...matches(text, BEFORE_PASSWORD).filter(isValue),
    ...matches(text, SHORT_PASSWORD).filter((range) => isNoCode(range) && (isValue(range) || isAlone(text, range[1]))),
    ...matches(text, AFTER_KEY).filter((range) => isKeyLike(valueOf(range)) && !/[([]/u.test(text.charAt(range[1]))),
    ...matches(text, BARE_KEY).filter(
      (range) => IS_UUID.test(valueOf(range)) || (isRandom(valueOf(range)) && isKeyLike(valueOf(range))),
    ),
    ...matches(text, LOGIN_PAIR).filter(isValue),
    ...matches(text, AFTER_PIN).filter(([start, end]) => end - start >= 3),
    ...settings(text),
    ...matches(text, CODES).filter(isValue),
    ...phrases(text),
  ]
}

/** True for letters mixed with digits or signs; false for a year or a number that a sentence goes on with. */
function isWordLike(value: string): boolean {
  return /\p{L}/u.test(value) && /\p{L}\d|\d\p{L}|[!@#$%^&+=~_]/u.test(value)
}

/** True where the line, cell or sentence ends here: then the word is a value, not the first word of a remark. */
function isAlone(text: string, end: number): boolean {
  return /^["'`*_)”»」]{0,4}[ \t]{0,4}(?:$|[\r\n|,;<，。；])/u.test(text.slice(end, end + 10))
}

function settings(text: string): readonly Range[] {
  return [...text.matchAll(SETTING)].flatMap((match): readonly Range[] => {
    const name = match[1] ?? ''
    const range = match.indices?.slice(2).find((group) => group !== undefined)
    if (range === undefined) return []
    const isSecret = SECRET_NAME.test(name) && !OPEN_NAME.test(name)
    const value = text.slice(...range)
    if (isPath(value) || isCode(value)) return []
    return isSecret || (/^[\w+=-]{24,}$/u.test(value) && isRandom(value) && !/SHA|HASH|COMMIT|DIGEST|ID$/u.test(name))
      ? [range]
      : []
  })
}

function phrases(text: string): readonly Range[] {
  const labelled = [...text.matchAll(PHRASE)].flatMap(({ 0: label, index }): readonly Range[] => {
    const from = index + label.length
    const group = PHRASE_AFTER.exec(text.slice(from, from + 700))?.indices?.[1]
    if (group === undefined || SENTENCE_WORD.test(text.slice(from + group[0], from + group[1]))) return []
    return [[from + group[0], from + group[1]]]
  })
  const bare = matches(text, BARE_PHRASE).filter(([start, end]) => {
    const words = text.slice(start, end).split(' ')
    return PHRASE_LENGTHS.includes(words.length) && !SENTENCE_WORD.test(words.join(' '))
  })
  return [...labelled, ...bare]
}
