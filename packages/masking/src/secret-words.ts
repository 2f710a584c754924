/** Shorter values are no secrets but would blank out half of a note. */
export const LEAST_SECRET = 4

/** Words for a password, in the languages of the notes we know. */
export const PASSWORD_WORD: string = String.raw`pass(?:word|wd|phrase|code)|pwd|wi-?fi[ -](?:code|key)|passwort|kennwort|contraseña|contrasenya|mot de passe|mdp|senha|parola|şifre|sandi|hasło|wachtwoord|lösenord|adgangskode|salasana|пароль|jelszó|heslo|كلمة (?:السر|المرور)|الرقم السري|סיסמ[הא]|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|mật khẩu|पासवर्ड|รหัสผ่าน`

/** Words for a key or a token. Of what follows them only what is no word of a sentence is hidden. */
export const KEY_WORD: string = String.raw`(?:api|access|secret|private|auth|signing|encryption|master|account|license|service|client|shared|app|bot|deploy|refresh|id|webhook|admin|root|integration|integrations|routing|recovery|connection)[ _-]?(?:key|token|secret|string)s?|api[_-]?token|token|secret|credentials?|clé (?:d['’])?api|api-?schlüssel|schlüssel|clave(?: api)?|chiave(?: api)?|chave(?: de api)?|klucz(?: api)?|ключ(?: api)?|токен|مفتاح|רמז|密钥|密鑰|令牌|apiキー|アクセスキー|トークン|토큰|키|(?:kunci|anahtarı?) api|khóa api`

/** More than letters, or letters of both cases inside: no word of a sentence. */
export function isMixed(value: string): boolean {
  return /[\d!@#$%^&+=~]/u.test(value.replace(/[.!?…]{1,10}$/u, '')) || /\p{Ll}\p{Lu}/u.test(value)
}

/** No words joined by hyphens: it has a digit, changes its case inside a word, or runs on for longer than words do. */
export function looksRandom(body: string): boolean {
  return /\d/u.test(body) || /[a-z][A-Z]/u.test(body) || /[A-Za-z\d]{20}/u.test(body)
}

/** A value of a key: digits among letters, or a run too long for a word; no number, path, address, type or piece of a program. */
export function isKeyLike(value: string): boolean {
  if (!/[A-Za-z]/u.test(value) || /^(?:https?:|urn:|\/\/|[@.~])/iu.test(value) || isPath(value) || isCode(value)) return false
  return /\d|[+/=]$/u.test(value) || /[A-Za-z\d]{20}/u.test(value)
}

/** A path of a file, not base64 that begins with a slash: none of its parts is as long as a key. */
export function isPath(value: string): boolean {
  return /^(?:~|\.{1,2})?\/[\w.@-]/u.test(value) && value.split('/').every((part) => part.length < 24)
}

/** A call or a member of something in a program. */
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

/** Surely no words: letters and digits run on for 16 characters, or digits and both cases are mixed. */
export function isRandom(body: string): boolean {
  if (/[A-Za-z\d]{20}/u.test(body)) return true
  const runs = body.split(/[^A-Za-z\d]/u)
  if (runs.some((run) => run.length >= 16 && /\d/u.test(run) && /[A-Za-z]/u.test(run))) return true
  return body.length >= 16 && /\d/u.test(body) && /[a-z]/u.test(body) && /[A-Z]/u.test(body)
}

/** What stands for a secret: a variable, a mark, a word for none. */
export function isPlaceholder(value: string): boolean {
  return /^(?:\$\{?\{?[\w. ]{1,100}\}{0,2}|%\w{1,100}%|\{\{[^}]{0,100}\}\}|<[^>]{0,200}>|\[[\w -]{0,60}\]|\*{1,60}|•{1,60}|_{1,60}|-{1,60}|…|\.{3,10}|[xX]{3,60}|\(hidden\)|none|null|nil|n\/a|true|false|undefined|redacted|required|optional|string|todo|tbd|changeme|your[-_ ]\S{1,60})$/iu.test(
    value.trim(),
  )
}
