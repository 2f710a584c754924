/** Shorter values are ignored: they are rarely secret, and hiding them would blank out half of a note. */
export const LEAST_SECRET = 4

/** Words for a password, in the languages of the notes we know. */
export const PASSWORD_WORD: string = String.raw`pass(?:word|wd|phrase|code)|pwd|wi-?fi[ -](?:code|key)|passwort|kennwort|contraseña|contrasenya|mot de passe|mdp|senha|parola|şifre|sandi|hasło|wachtwoord|lösenord|adgangskode|salasana|пароль|jelszó|heslo|كلمة (?:السر|المرور)|الرقم السري|סיסמ[הא]|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|mật khẩu|पासवर्ड|รหัสผ่าน`

/** Words for a key or a token. A value after them is hidden only if it does not look like a word. */
export const KEY_WORD: string = String.raw`(?:api|access|secret|private|auth|signing|encryption|master|account|license|service|client|shared|app|bot|deploy|refresh|id|webhook|admin|root|integration|integrations|routing|recovery|connection)[ _-]?(?:key|token|secret|string)s?|api[_-]?token|token|secret|credentials?|clé (?:d['’])?api|api-?schlüssel|schlüssel|clave(?: api)?|chiave(?: api)?|chave(?: de api)?|klucz(?: api)?|ключ(?: api)?|токен|مفتاح|רמז|密钥|密鑰|令牌|apiキー|アクセスキー|トークン|토큰|키|(?:kunci|anahtarı?) api|khóa api`

/** True for a value with digits, signs or a capital inside: not an ordinary word. */
export function isMixed(value: string): boolean {
  return /[\d!@#$%^&+=~]/u.test(value.replace(/[.!?…]{1,10}$/u, '')) || /\p{Ll}\p{Lu}/u.test(value)
}

/** True unless the text is words joined by hyphens: it has a digit, a capital inside a word, or a run longer than words have. */
export function looksRandom(body: string): boolean {
  return /\d/u.test(body) || /[a-z][A-Z]/u.test(body) || /[A-Za-z\d]{20}/u.test(body)
}

/**
 * True for a value that looks like a key: digits among letters, or a run too long for a word; not a number, path, URL, type or
 * code.
 */
export function isKeyLike(value: string): boolean {
  if (!/[A-Za-z]/u.test(value) || /^(?:https?:|urn:|\/\/|[@.~])/iu.test(value) || isPath(value) || isCode(value)) return false
  return /\d|[+/=]$/u.test(value) || /[A-Za-z\d]{20}/u.test(value)
}

/** True for a file path. Base64 may also begin with a slash, but has a part as long as a key. */
export function isPath(value: string): boolean {
  return /^(?:~|\.{1,2})?\/[\w.@-]/u.test(value) && value.split('/').every((part) => part.length < 24)
}

/** True for a call or a member access in source code. */
export function isCode(value: string): boolean {
  return (
    /^\$\(|\($|\(\)/u.test(value) ||
    /^(?:process|os|env|config|options|settings|this|self|args|req|request|ctx|context|params|props|import|secrets|vault)\??\./u.test(
      value,
    ) ||
    (/^[A-Za-z_$]/u.test(value) &&
      /^[^\d]+$/u.test(value) &&
      /^[\w$.?[\]();,]+$/u.test(value) &&
      /[a-z]\.[A-Za-z]/u.test(value) &&
      /[a-z][A-Z]|[()[\];]/u.test(value))
  )
}

/**
 * True for text that cannot be words: 20 letters and digits in a row, or 16 of both kinds, or at least 16 characters with
 * digits and letters of both cases.
 */
export function isRandom(body: string): boolean {
  if (/[A-Za-z\d]{20}/u.test(body)) return true
  const runs = body.split(/[^A-Za-z\d]/u)
  if (runs.some((run) => run.length >= 16 && /\d/u.test(run) && /[A-Za-z]/u.test(run))) return true
  return body.length >= 16 && /\d/u.test(body) && /[a-z]/u.test(body) && /[A-Z]/u.test(body)
}

/** True for a placeholder in place of a secret: a variable, a mark, a word such as `none`. */
export function isPlaceholder(value: string): boolean {
  return /^(?:\$\{?\{?[\w. ]{1,100}\}{0,2}|%\w{1,100}%|\{\{[^}]{0,100}\}\}|<[^>]{0,200}>|\[[\w -]{0,60}\]|\*{1,60}|•{1,60}|_{1,60}|-{1,60}|…|\.{3,10}|[xX]{3,60}|\(hidden\)|none|null|nil|n\/a|true|false|undefined|redacted|required|optional|string|todo|tbd|changeme|your[-_ ]\S{1,60})$/iu.test(
    value.trim(),
  )
}
