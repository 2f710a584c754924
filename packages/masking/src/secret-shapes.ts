import { isMixed, isRandom, looksRandom } from './secret-words.ts'
import { matches } from './ranges.ts'
import type { Range } from './ranges.ts'

// Each pattern is tried at every character of a note, so a failed try must end within a bounded number of steps, or start only
// where a run of its characters starts. `pnpm check:patterns` and the tests enforce this.

/** Prefixes of service keys. The rest must look random, so that `npm_config_registry` and `pa-per-view` do not match. */
const PREFIXES: readonly string[] = [
  // Models
  'sk-',
  'sk_',
  'pk_',
  'rk_',
  'pk-lf-',
  'sess-',
  'pa-',
  'al-',
  'gsk_',
  'xai-',
  'hf_',
  'api_org_',
  'r8_',
  'nvapi-',
  'pplx-',
  'tgp_v1_',
  'csk-',
  'jina_',
  'pcsk_',
  'tvly-',
  'lsv2_',
  'fw_',
  'fc-',
  'rpa_',
  'sbp_',
  'sb_secret_',
  'AIza',
  'GOCSPX-',
  'ABSK',
  // Code and packages
  'ghp_',
  'gho_',
  'ghu_',
  'ghs_',
  'ghr_',
  'github_pat_',
  'glpat-',
  'gldt-',
  'glrt-',
  'glcbt-',
  'glptt-',
  'glft-',
  'glsoat-',
  'glimt-',
  'glagent-',
  'gloas-',
  'ATBB',
  'ATCTT3',
  'ATATT3',
  'npm_',
  'pypi-',
  'rubygems_',
  'oy2',
  'dckr_pat_',
  'dckr_oat_',
  'CCIPAT_',
  'bkua_',
  'sgp_',
  'PMAK-',
  'sntrys_',
  'sntryu_',
  'sntrya_',
  'sonar_',
  'sqp_',
  'squ_',
  'phx_',
  'phc_',
  'pnu_',
  // Clouds and hosting
  'dop_v1_',
  'doo_v1_',
  'dor_v1_',
  'HRKU-',
  'nfp_',
  'nfc_',
  'nfo_',
  'vcp_',
  'vci_',
  'vca_',
  'vcr_',
  'vck_',
  'vercel_',
  'fo1_',
  'fm1r_',
  'fm1a_',
  'fm2_',
  'tskey-',
  'dp.pt.',
  'dp.st.',
  'dp.ct.',
  'dp.sa.',
  'dp.scim.',
  'dp.audit.',
  'dp.said.',
  'hvs.',
  'hvb.',
  'hvr.',
  'dapi',
  'pul-',
  'rnd_',
  'cfk_',
  'cfut_',
  'cfat_',
  'v1.0-',
  'LTAI',
  'AKID',
  'pscale_',
  'glc_',
  'glsa_',
  'ngrok_',
  'railway_',
  'dt0c01.',
  'NRAK-',
  'NRAA-',
  'NRII-',
  'NRJS-',
  'NRRA-',
  'pdus+',
  'ops_',
  'A3-',
  'AGE-SECRET-KEY-',
  'xkeysib-',
  'xsmtpsib-',
  're_',
  'ddp_',
  'ddapp_',
  // Chat, work and payment
  'xoxb-',
  'xoxp-',
  'xoxa-',
  'xoxo-',
  'xoxr-',
  'xoxs-',
  'xoxc-',
  'xoxd-',
  'xoxe-',
  'xoxe.',
  'xapp-',
  'ntn_',
  'secret_',
  'lin_api_',
  'lin_oauth_',
  'lin_wh_',
  'figd_',
  'figo_',
  'figu_',
  'shpat_',
  'shpss_',
  'shpca_',
  'shppa_',
  'shptka_',
  'sq0atp-',
  'sq0csp-',
  'sq0idp-',
  'EAAA',
  'EAAC',
  'whsec_',
  'rzp_live_',
  'rzp_test_',
  'access_token$production$',
  'access_token$sandbox$',
  'FLWSECK-',
  'FLWSECK_TEST-',
  'EZAK',
  'EZTK',
  'live_',
  'test_',
  'pat-na1-',
  'pat-eu1-',
  'CFPAT-',
  'duffel_',
  'key-',
]
/** Prefixes that ordinary hyphenated words share: `test_2026_plan_b`, `key-value-store2`. */
const VAGUE: ReadonlySet<string> = new Set([
  'sk-',
  'sk_',
  'pk_',
  'rk_',
  'sess-',
  'pa-',
  'al-',
  'fw_',
  'fc-',
  'oy2',
  're_',
  'live_',
  'test_',
  'key-',
  'A3-',
  'v1.0-',
  'dapi',
  'secret_',
  'ops_',
  'AKID',
  'LTAI',
  'railway_',
  'vercel_',
  'ngrok_',
  'hf_',
])
const escaped = PREFIXES.map((prefix) => prefix.replace(/[.$+]/gu, String.raw`\$&`)).sort(
  (left, right) => right.length - left.length,
)
const LEAST_BODY = 12
const PREFIXED = new RegExp(String.raw`(?<![A-Za-z\d])(${escaped.join('|')})([\w+/=.~:-]{${LEAST_BODY},})`, 'gu')

/** Secrets whose whole shape is known, not only their prefix. */
const SHAPES: readonly RegExp[] = [
  // Signed web tokens, and any other JSON in base64 with dots.
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{0,2000}){0,3}/gu,
  /(?<![A-Za-z\d])(?:A3T[A-Z\d]|AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z\d]{16}(?![A-Za-z\d])/gu,
  /(?<![\w/.-])ya29\.[\w-]{10,}/gu,
  /(?<![\w/])1\/\/0[\w-]{20,}/gu,
  /(?<![\w.-])SG\.[\w-]{16,100}\.[\w-]{16,100}/gu,
  // Bots of Telegram and Discord
  /(?<![\w-])(?:bot)?\d{8,10}:[\w-]{30,45}(?![\w-])/gu,
  /(?<![\w-])[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,60}/gu,
  // Twilio, Mailgun, Mailchimp, Heroku Vault, Okta, Airtable, Terraform, PayPal, Fly, 1Password, ngrok
  /(?<![A-Za-z\d])(?:SK|AC|AP)[a-f\d]{32}(?![A-Za-z\d])/gu,
  /(?<![A-Za-z\d])(?:key-)?[a-f\d]{32}-(?:us\d{1,2}|[a-f\d]{8}-[a-f\d]{8})(?![A-Za-z\d])/gu,
  /(?<![\w.-])s\.[A-Za-z\d]{24}(?![\w.-])/gu,
  /(?<![\w-])00[\w-]{40}(?![\w-])/gu,
  /(?<![\w.])pat[A-Za-z\d]{14}\.[a-f\d]{20,64}/gu,
  /(?<![\w.-])[A-Za-z\d]{14}\.atlasv1\.[\w-]{20,100}/gu,
  /(?<![\w-])A[\w-]{79}(?![\w-])/gu,
  /\bFlyV1 [\w,.+/=-]{20,4000}/gu,
  /(?<![\w-])[A-Z\d]{2}-[A-Z\d]{6}-[A-Z\d]{6}(?:-[A-Z\d]{5}){4,5}(?![\w-])/gu,
  /(?<![\w-])(?=[A-Za-z\d]{0,26}\d)2[A-Za-z\d]{26}_[A-Za-z\d]{16,24}(?![\w-])/gu,
  // URLs that are themselves a secret
  /\bhttps?:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|hooks\.zapier\.com\/hooks|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks|maker\.ifttt\.com\/\w{1,60}\/\w{1,60}|api\.telegram\.org)\/([^\s"'`<>)\]]{8,400})/dgu,
  /\bhttps?:\/\/[\w.-]{1,80}\.webhook\.office\.com\/([^\s"'`<>)\]]{8,400})/dgu,
  /\bhttps?:\/\/([a-f\d]{32}|[\w-]{20,100})@/dgu,
  /\botpauth:\/\/[^\s"'`<>)\]]{1,600}/gu,
  /\botpauth-migration:\/\/[^\s"'`<>)\]]{1,4000}/gu,
  // Passwords in URLs, also those of databases; the rest of the URL stays.
  /\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s/:@]{0,100}:([^\s/]{1,200})@/dgiu,
  /\bjdbc:oracle:\w{1,20}:[^\s/@]{1,100}\/([^\s@]{1,200})@/dgiu,
  /[?&;#](?:key|api[_-]?key|\w{0,20}token|auth|code|secret|client_secret|signature|sig|password|pwd|pass|x-amz-(?:signature|security-token|credential)|x-goog-signature|awsaccesskeyid)=([^\s&;#"'`<>)\]]{6,2000})/dgiu,
  // Azure and similar connection strings, `Name=value;`
  /\b(?:AccountKey|SharedAccessKey|SharedAccessSignature|SharedSecretValue|AccessKey|sig)=([\w+/=%. &-]{16,400})/dgu,
  // Headers
  /\b(?:Set-)?Cookie2?["']?[ \t]{0,4}:[ \t]{0,4}["']?([^\s"'`;=]{1,100}=[^\n"'`]{1,4000})/dgiu,
  /\b(?:JSESSIONID|PHPSESSID|ASPSESSIONID\w{0,20}|connect\.sid|session_?id|sessionid|csrftoken|auth_token)=([\w%+/=.:-]{8,400})/dgiu,
  /\bX-[A-Za-z-]{0,40}(?:Key|Token|Secret|Auth|Signature|Password)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([^\s"'`]{6,4000})/dgiu,
  // Command lines
  /(?<![\w-])(?:-u|--user|--proxy-user)[ =]{1,3}["']?[^\s:"']{1,100}:([^\s"'`]{3,200})/dgu,
  /(?<![\w-])--(?:[a-z]{1,20}-){0,2}(?:password|passwd|pass|passphrase|token|api-?key|secret|auth)[ =]{1,3}["']?([^\s"'`-][^\s"'`]{3,400})/dgu,
  /\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|mongo|mongosh|redis-cli|docker login|smbclient|ldapsearch|7z)\b[^\n]{0,200}?[ \t](?:-p ?|-a |-w )["']?([^\s"'`-][^\s"'`]{3,200})/dgu,
  // Credential files: netrc, pgpass, npmrc, htpasswd, shadow, Docker
  /\blogin[ \t]{1,20}[^\s]{1,100}\s{1,20}password[ \t]{1,20}([^\s]{4,200})/dgu,
  /(?<!\S)[^\s:]{1,100}:(?:\d{3,5}|\*):[A-Za-z_*][^\s:]{0,59}:[^\s:]{1,60}:([^\s]{4,200})(?!\S)/dgu,
  /_(?:authToken|auth|password)[ \t]{0,3}=[ \t]{0,3}["']?([^\s"'`$][^\s"'`]{5,400})/dgu,
  /\$(?:2[aby]|apr1|1|5|6|y|argon2id?)\$[\w./$=,+-]{12,200}/gu,
  /"auth"[ \t]{0,4}:[ \t]{0,4}"([\w+/=]{8,400})"/dgu,
  // Seeds of one-time passwords, in groups or at a stretch
  /\b(?:totp|otp|2fa|mfa|authenticator|two.factor)\b[^\n:=]{0,40}[:=]?[ \t"'`*]{0,6}((?:[A-Z2-7]{4}[ -]?){4,16})(?![A-Za-z])/dgiu,
]

/** Credentials in a header. Phrases such as `Basic authentication` do not match. */
const CREDENTIALS: readonly RegExp[] = [
  /\b(?:Bearer|Basic|SSWS|GenieKey|Negotiate|DSN)[ \t]{1,4}([\w+/=.~:-]{6,4000})/dgu,
  /\b(?:Proxy-)?Authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:[A-Za-z][\w-]{1,30}[ \t]{1,4})?([^\s"'`]{6,4000})/dgiu,
  /\b(?:Proxy-)?Authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:Digest|OAuth|Hawk|AWS4-HMAC-SHA256)[ \t]{1,4}([^\n`]{8,4000})/dgiu,
]

/** A private key as bare hexadecimal. File digests are as long, but a label nearby says so. */
const BARE_HEX = /(?<![\w/-])(?:0x)?[\da-f]{64}(?![\w-])/giu
/** How far around such a number a label is looked for, in characters. */
const LABEL_REACH = 200
const IS_DIGEST = /sha-?\d|digest|checksum|hash|commit|integrity|etag|fingerprint/iu
const CARD = /(?<![\w.-])(?:\d{4}[ -]?){3}\d{1,7}(?![\w.-])/gu

/** Finds keys, tokens, cookies, logins and seeds by their shape. */
export function shapedSecrets(text: string): readonly Range[] {
  const prefixed = [...text.matchAll(PREFIXED)].flatMap((match): readonly Range[] => {
    const [whole, prefix = '', rest = ''] = match
    const body = rest.replace(/(?<![.:~])[.:~]{1,20}$/u, '')
    const isKey = VAGUE.has(prefix) ? isRandom(body) : looksRandom(body)
    return isKey ? [[match.index, match.index + whole.length - (rest.length - body.length)]] : []
  })
  const hex = matches(text, BARE_HEX).filter(([start]) => !IS_DIGEST.test(lineAround(text, start)))
  const cards = matches(text, CARD).filter(([start, end]) => isCard(text.slice(start, end)))
  const credentials = CREDENTIALS.flatMap((pattern) => matches(text, pattern)).filter(([start, end]) =>
    isMixed(text.slice(start, end)),
  )
  return [...prefixed, ...credentials, ...SHAPES.flatMap((shape) => matches(text, shape)), ...hex, ...cards]
}

function lineAround(text: string, at: number): string {
  const start = Math.max(0, at - LABEL_REACH)
  const near = text.slice(start, at + LABEL_REACH)
  const end = near.indexOf('\n', at - start)
  return near.slice(near.lastIndexOf('\n', at - start) + 1, end < 0 ? near.length : end)
}

/** Card numbers have a check digit (Luhn) and begin with the number of a network. */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/gu, '')
  if (digits.length < 13 || digits.length > 19 || !/^[3-6]/u.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const doubled = place % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
