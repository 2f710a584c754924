import type { Environment, QmdHome } from './home.ts'

/** Both would lead the program to another index than the agent's. */
const MISLEADING = ['INDEX_PATH', 'QMD_CONFIG_DIR']

/** Variables that make `qmd` use this home. */
export function qmdVariables(home: QmdHome): Readonly<Record<'XDG_CONFIG_HOME' | 'XDG_CACHE_HOME', string>> {
  return { XDG_CONFIG_HOME: home.config, XDG_CACHE_HOME: home.cache }
}

/** Variables that a program needs to run, find its models and reach a network, by name or prefix. */
const NEEDED: ReadonlySet<string> = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM TMPDIR TMP TEMP PWD HOSTNAME DISPLAY
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS
  HF_HOME HF_ENDPOINT HF_HUB_CACHE HF_HUB_OFFLINE HUGGINGFACE_HUB_CACHE
  LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH VK_ICD_FILENAMES
  SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES
  PROGRAMFILES(X86) NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE OS`.split(/\s+/),
)
const NEEDED_BEGINNINGS = /^(?:LC_|XDG_|QMD_|CUDA_|GGML_|HIP_|ROCR_|OMP_|NODE_LLAMA_CPP_|BUN_INSTALL)/
const SECRET = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/

/** An allow-list: the program must not get providers' keys or other variables of this process. */
function isNeeded(name: string): boolean {
  const upper = name.toUpperCase()
  return NEEDED.has(upper) || (NEEDED_BEGINNINGS.test(upper) && !SECRET.test(upper))
}

export function childEnvironment(home: QmdHome, environment: Environment): Environment {
  const kept = Object.entries(environment).filter(([name]) => isNeeded(name) && !MISLEADING.includes(name))
  return { ...Object.fromEntries(kept), ...qmdVariables(home), NO_COLOR: '1', PWD: home.root }
}

/** Shell lines after which `qmd` typed by hand uses the agent's index and models. */
export function formatExports(home: QmdHome, shell: 'posix' | 'powershell', environment: Environment = {}): string {
  const variables = Object.entries(qmdVariables(home))
  const unset = MISLEADING.filter((name) => environment[name] !== undefined)
  if (shell === 'powershell') {
    const lines = variables.map(([name, value]) => `$env:${name} = '${value.replaceAll("'", "''")}'`)
    return [...lines, ...unset.map((name) => `Remove-Item Env:${name}`)].join('\n')
  }
  const lines = variables.map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`)
  return [...lines, ...unset.map((name) => `unset ${name}`)].join('\n')
}
