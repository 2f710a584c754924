import type { Environment, QmdHome } from './home.ts'

/** Both would lead the program to another index than that of the agent. */
const MISLEADING = ['INDEX_PATH', 'QMD_CONFIG_DIR']

/** What makes `qmd` use this home. */
export function qmdVariables(home: QmdHome): Readonly<Record<'XDG_CONFIG_HOME' | 'XDG_CACHE_HOME', string>> {
  return { XDG_CONFIG_HOME: home.config, XDG_CACHE_HOME: home.cache }
}

export function childEnvironment(home: QmdHome, environment: Environment): Environment {
  const kept = Object.entries(environment).filter(([name]) => !MISLEADING.includes(name) && name !== 'FORCE_COLOR')
  return { ...Object.fromEntries(kept), ...qmdVariables(home), NO_COLOR: '1', PWD: home.root }
}

/** Lines for a shell, after which `qmd` typed by hand works on the agent's own index and models. */
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
