/** Made-up secrets of many shapes. They are built at run time, so that no scanner takes this file for a leak. */
export interface SecretExample {
  readonly name: string
  readonly text: string
  /** The part that must not be shown. */
  readonly secret: string
}

const MIXED = 'q7Zk2Vn9Xw4Rt6Lm3Hs8Bd5Gf1Jc0Py'
const mixed = (length: number): string => MIXED.repeat(40).slice(0, length)
const hex = (length: number): string => '7f3a9c1e5b8d2046'.repeat(20).slice(0, length)
const capitals = (length: number): string => 'Q7ZK2VN9XW4RT6LM'.repeat(8).slice(0, length)
const base32 = (length: number): string => 'JX7QZ2MK5WN3RT6L'.repeat(8).slice(0, length)
const letters = (length: number): string => 'qzkvnxwrtlmhsbdgfjcpy'.repeat(8).slice(0, length)
const digits = (length: number): string => '4907316285'.repeat(8).slice(0, length)
const token = (): string => ['ey' + 'JhbGciOiJIUzI1NiJ9', 'ey' + `JzdWIi${mixed(30)}`, mixed(43)].join('.')
const lines = (): string => Array.from({ length: 4 }, (_, line) => `${mixed(58)}${line}`).join('\n')
const block = (kind: string): string => `-----${'BEGIN'} ${kind}-----\n${lines()}\n-----${'END'} ${kind}-----`
const PASSWORD = 'Tulip-Garden47'
const PHRASE = 'ribbon velvet copper canyon orbit timber walnut saddle meadow lantern puzzle harbor'

const alone = (name: string, secret: string): SecretExample => ({ name, secret, text: `We got ${secret} from them, keep it.` })
const inside = (name: string, secret: string, text: string): SecretExample => ({ name, secret, text })

export function secretExamples(): readonly SecretExample[] {
  return [
    // Models
    alone('OpenAI', `s${'k-'}${mixed(48)}`),
    alone('OpenAI project', `s${'k-pr'}oj-${mixed(60)}`),
    alone('Anthropic', `s${'k-a'}nt-api03-${mixed(90)}AA`),
    alone('OpenRouter', `s${'k-o'}r-v1-${hex(64)}`),
    alone('Voyage', `p${'a-'}${mixed(43)}`),
    alone('Groq', `gs${'k_'}${mixed(52)}`),
    alone('xAI', `xa${'i-'}${mixed(80)}`),
    alone('Hugging Face', `h${'f_'}${letters(34)}`),
    alone('Replicate', `r${'8_'}${mixed(37)}`),
    alone('Perplexity', `ppl${'x-'}${mixed(48)}`),
    alone('NVIDIA', `nvap${'i-'}${mixed(64)}`),
    alone('Google API', `AI${'za'}${mixed(35)}`),
    alone('Google access', `ya${'29.'}${mixed(60)}`),
    alone('Google client secret', `GOCS${'PX-'}${mixed(28)}`),
    inside(
      'Google service account',
      mixed(58),
      `{"type": "service_account", "private_key_id": "${hex(40)}", "private_key": "-----${'BEGIN'} PRIVATE KEY-----\\n${mixed(58)}\\n-----${'END'} PRIVATE KEY-----\\n"}`,
    ),
    // Code and packages
    alone('GitHub personal', `gh${'p_'}${mixed(36)}`),
    alone('GitHub fine-grained', `github_${'pat_'}${mixed(22)}_${mixed(59)}`),
    alone('GitHub app', `gh${'s_'}${mixed(36)}`),
    alone('GitLab', `glpa${'t-'}${mixed(20)}`),
    alone('Bitbucket', `AT${'BB'}${mixed(32)}`),
    alone('Atlassian', `ATAT${'T3'}${mixed(180)}`),
    alone('npm', `np${'m_'}${mixed(36)}`),
    alone('PyPI', `pyp${'i-'}AgEIcHlwaS5vcmc${mixed(80)}`),
    alone('Docker Hub', `dckr_${'pat_'}${mixed(27)}`),
    alone('Sentry', `sntr${'ys_'}${mixed(60)}`),
    alone('Postman', `PMA${'K-'}${hex(24)}-${hex(34)}`),
    // Clouds
    alone('AWS access key id', `AK${'IA'}${capitals(16)}`),
    inside('AWS secret', mixed(40), `aws_secret_access_key = ${mixed(40)}`),
    inside('AWS session token', mixed(120), `aws_session_token = ${mixed(120)}`),
    inside('Azure account key', `${mixed(86)}==`, `DefaultEndpointsProtocol=https;AccountName=n;AccountKey=${mixed(86)}==;EndpointSuffix=core.windows.net`),
    inside('Azure SAS', `${mixed(43)}%3D`, `https://n.blob.core.windows.net/c?sv=2024-01-01&sig=${mixed(43)}%3D`),
    inside('Azure service bus', `${mixed(43)}=`, `Endpoint=sb://n.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${mixed(43)}=`),
    alone('DigitalOcean', `dop_${'v1_'}${hex(64)}`),
    alone('Heroku', `HRK${'U-'}${mixed(60)}`),
    inside('Heroku, older', `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`, `HEROKU_API_KEY=${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`),
    alone('Netlify', `nf${'p_'}${mixed(36)}`),
    alone('Vercel', `vc${'p_'}${mixed(24)}`),
    alone('Fly', `fm${'2_'}${mixed(80)}`),
    alone('Supabase', `sb${'p_'}${hex(40)}`),
    inside('Cloudflare', mixed(40), `CLOUDFLARE_API_TOKEN=${mixed(40)}`),
    alone('Vault', `hv${'s.'}${mixed(95)}`),
    alone('Doppler', `dp.${'pt.'}${mixed(43)}`),
    alone('1Password service account', `op${'s_'}ey${mixed(120)}`),
    alone('1Password secret key', `A${'3-'}${capitals(6)}-${capitals(6)}-${capitals(5)}-${capitals(5)}-${capitals(5)}-${capitals(5)}`),
    alone('Tailscale', `tskey-${'auth-'}${mixed(17)}-${mixed(32)}`),
    alone('ngrok', `2${mixed(26)}_${mixed(21)}`),
    alone('Grafana', `glsa${'_'}${mixed(32)}_${hex(8)}`),
    inside('Datadog', hex(32), `DD_API_KEY: ${hex(32)}`),
    alone('New Relic', `NRA${'K-'}${capitals(27)}`),
    inside('PagerDuty', mixed(20), `pagerduty token: ${mixed(20)}`),
    inside('Okta', `00${mixed(40)}`, `Authorization: SSWS 00${mixed(40)}`),
    // Chat, work, mail, payment
    alone('Slack bot', `xox${'b-'}${digits(12)}-${digits(12)}-${mixed(24)}`),
    inside('Slack webhook', mixed(24), `https://hooks.slack.com/services/T${capitals(8)}/B${capitals(8)}/${mixed(24)}`),
    alone('Discord bot', `M${mixed(23)}.${mixed(6)}.${mixed(38)}`),
    inside('Discord webhook', mixed(68), `https://discord.com/api/webhooks/${digits(18)}/${mixed(68)}`),
    alone('Telegram bot', `${digits(10)}:${mixed(35)}`),
    alone('Twilio', `S${'K'}${hex(32)}`),
    alone('SendGrid', `S${'G.'}${mixed(22)}.${mixed(43)}`),
    alone('Mailgun', `ke${'y-'}${hex(32)}`),
    alone('Mailchimp', `${hex(32)}-us14`),
    alone('Linear', `lin_${'api_'}${mixed(40)}`),
    alone('Notion', `nt${'n_'}${digits(11)}${mixed(35)}`),
    alone('Airtable', `pa${'t'}${mixed(14)}.${hex(64)}`),
    alone('Figma', `fig${'d_'}${mixed(43)}`),
    alone('Shopify', `shp${'at_'}${hex(32)}`),
    alone('Square', `sq0${'atp-'}${mixed(22)}`),
    inside('PayPal', mixed(80), `PAYPAL_CLIENT_SECRET=${mixed(80)}`),
    alone('Stripe', `sk_${'live_'}${mixed(24)}`),
    alone('Stripe webhook', `whs${'ec_'}${mixed(32)}`),
    // Keys, seeds, numbers
    inside('PEM key', mixed(58), block(`RSA ${'PRIVATE'} KEY`)),
    inside('SSH key', mixed(58), block(`OPENSSH ${'PRIVATE'} KEY`)),
    inside('PGP key', mixed(58), block(`PGP ${'PRIVATE'} KEY BLOCK`)),
    alone('age', `AGE-SECRET-${'KEY-1'}${capitals(58)}`),
    alone('signed web token', token()),
    inside('TOTP seed', base32(16), `TOTP seed ${base32(16)} for the bank`),
    inside('otpauth address', base32(32), `otpauth://totp/Bank:ada?secret=${base32(32)}&issuer=Bank`),
    alone('bare 64 digits', hex(64)),
    inside('wallet phrase', PHRASE, `Seed phrase: ${PHRASE}`),
    inside('PIN', '4907', 'The PIN of the card is 4907.'),
    // Files, addresses, headers, commands
    inside('environment password', PASSWORD, `DB_PASS=${PASSWORD}`),
    inside('environment line', 'garden of tulips', `export SESSION_SECRET="garden of tulips"`),
    inside('netrc', PASSWORD, `machine git.example login ada password ${PASSWORD}`),
    inside('pgpass', PASSWORD, `db.example:5432:notes:ada:${PASSWORD}`),
    inside('PostgreSQL address', PASSWORD, `postgres://ada:${PASSWORD}@db.example:5432/notes`),
    inside('MongoDB address', PASSWORD, `mongodb+srv://ada:${PASSWORD}@cluster.example/notes`),
    inside('JDBC', PASSWORD, `jdbc:sqlserver://db.example;user=ada;password=${PASSWORD};encrypt=true`),
    inside('login in an address', PASSWORD, `https://ada:${PASSWORD}@git.example/notes.git`),
    inside('key in an address', mixed(24), `https://api.example/v1?api_key=${mixed(24)}&q=notes`),
    inside('curl -u', PASSWORD, `curl -u ada:${PASSWORD} https://api.example`),
    inside('bearer header', mixed(32), `Authorization: Bearer ${mixed(32)}`),
    inside('cookie', mixed(32), `Cookie: theme=dark; sid=${mixed(32)}`),
    // Notes
    inside('password in prose', PASSWORD, `The password for the old router in the hall is ${PASSWORD}, do not tell.`),
    inside('password on the next line', PASSWORD, `## Router password\n\n${PASSWORD}\n`),
    inside('password in a table', 'garden of tulips', '| Service | Password |\n| --- | --- |\n| nas | garden of tulips |'),
  ]
}

/** The same sentence in eleven languages. */
export const PASSWORD_SENTENCES: readonly string[] = [
  `Password: ${PASSWORD}`,
  `Das Passwort lautet ${PASSWORD}.`,
  `La contraseña es ${PASSWORD}`,
  `Le mot de passe est ${PASSWORD}`,
  `A senha é ${PASSWORD}`,
  `Пароль: ${PASSWORD}`,
  `كلمة المرور هي ${PASSWORD}`,
  `הסיסמה היא ${PASSWORD}`,
  `密码是${PASSWORD}`,
  `パスワードは${PASSWORD}です`,
  `पासवर्ड: ${PASSWORD}`,
]
export const SENTENCE_PASSWORD: string = PASSWORD
