import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LAUNCHER, Sandbox } from '../harness/launcher.ts'
import { jsonBeside, runBeside } from '../harness/run-beside.ts'

const KEY = 'sk-key-of-the-test-0123456789'

/** Takes every request and every tunnel that the programs of a test ask for, and lets none through. */
class RecordingProxy {
  readonly asked: string[] = []
  connections = 0
  #onAsked: () => void = () => {}
  readonly #server: Server = createServer((request, response) => {
    this.asked.push(`${request.method} ${request.url}`)
    response.writeHead(503).end()
  })

  async start(): Promise<this> {
    this.#server.on('connection', () => {
      this.connections += 1
    })
    this.#server.on('connect', (request, socket) => {
      this.asked.push(`CONNECT ${request.url}`)
      // Programs are killed while they wait.
      socket.on('error', () => {})
      this.#onAsked()
      socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n')
    })
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      this.#server.closeAllConnections()
      this.#server.close()
    })
    return this
  }

  /** Resolves when the next tunnel is asked for. */
  tunnel(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAsked = resolve
    })
  }

  /** Leads everything that Node, the SDKs and the AWS tools might send to this proxy. */
  environment(): Readonly<Record<string, string>> {
    // Listening on a port, so it is no pipe.
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return {
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      OPENAI_BASE_URL: `${url}/openai`,
      AWS_ENDPOINT_URL: `${url}/aws`,
      AWS_EC2_METADATA_SERVICE_ENDPOINT: `${url}/metadata`,
    }
  }
}

const CREDENTIALS = {
  OPENAI_API_KEY: KEY,
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_REGION: 'us-east-1',
  AWS_BEARER_TOKEN_BEDROCK: 'bearer',
}

const notes = (): Sandbox => new Sandbox({ 'MEMORY.md': '# Memory\n\nThe router is in the attic.\n', 'memory/a.md': 'beta\n' })

describe('a key in the environment and no word in the configuration', () => {
  test('init && index && search send nothing anywhere, and say how to allow it', async () => {
    const proxy = await new RecordingProxy().start()
    const box = new Sandbox({ 'memory/a.md': 'The router is in the attic.\n' })
    const environment = { ...CREDENTIALS, ...proxy.environment() }
    expect((await runBeside(box, ['init'], environment)).code).toBe(0)
    const index = await jsonBeside(box, ['index'], environment)
    expect(index).toMatchObject({ code: 0, document: { documents: { indexed: 2 }, tokens: 0, vectors: [] } })
    expect(index.document.degraded?.['0']).toMatchObject({
      code: 'consent-needed',
      message: expect.stringMatching(/api\.openai\.com.*mnemark index --yes.*remote\.consent/),
    })
    const search = await jsonBeside(box, ['search', 'router'], environment)
    expect(search).toMatchObject({ code: 0, document: { mode: 'keywords', provider: null, requestedProvider: 'auto' } })
    expect(search.document.degraded?.['0']).toMatchObject({ code: 'consent-needed' })
    const dry = await jsonBeside(box, ['index', '--dry-run', '--force'], environment)
    expect(Number(dry.document.tokens)).toBeGreaterThan(0)
    for (const argv of [['status', '--deep'], ['doctor'], ['config', 'check']]) await runBeside(box, argv, environment)
    expect([proxy.connections, proxy.asked]).toEqual([0, []])
  })

  test('--yes is consent: the host of the key, and no other, is asked; the answer lasts', async () => {
    const proxy = await new RecordingProxy().start()
    const box = notes()
    const environment = { ...CREDENTIALS, ...proxy.environment() }
    await untilAsked(proxy, box, { argv: ['index', '--yes'], environment })
    await untilAsked(proxy, box, { argv: ['index'], environment })
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT api.openai.com:443']))
  })

  test('remote.consent answers in the configuration: true sends, false does not and nobody is asked', async () => {
    const proxy = await new RecordingProxy().start()
    const box = notes()
    const environment = { ...CREDENTIALS, ...proxy.environment() }
    const configure = (consent: boolean): void =>
      box.configure(`{ agents: { defaults: { memorySearch: { remote: { consent: ${consent} } } } } }`)
    configure(false)
    const refused = await jsonBeside(box, ['index', '--yes'], environment)
    expect([refused.code, refused.document.degraded, proxy.connections]).toEqual([0, undefined, 0])
    expect((await runBeside(box, ['status'], environment)).stdout).toContain('nothing may be sent to api.openai.com')
    configure(true)
    await untilAsked(proxy, box, { argv: ['index'], environment })
  })
})

interface Started {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** Runs until the proxy is asked for a tunnel; what comes after would only be tried again. */
async function untilAsked(proxy: RecordingProxy, box: Sandbox, { argv, environment }: Started): Promise<void> {
  const asked = proxy.tunnel()
  const child = spawn(LAUNCHER, argv, { cwd: box.workspace, env: { ...box.environment(), ...environment }, stdio: 'ignore' })
  const ended = once(child, 'close')
  expect(await Promise.race([asked.then(() => 'asked'), ended.then(() => 'ended')])).toBe('asked')
  child.kill('SIGKILL')
  await ended
}

/** A tool of util-linux: runs a program on a terminal of its own and records its output. */
const TERMINAL = 'script'
const HAS_TERMINAL = spawnSync(TERMINAL, ['--version']).status === 0

describe.skipIf(!HAS_TERMINAL)('on a terminal', () => {
  const terminal = (box: Sandbox, answer: string) => {
    const typescript = join(box.root, 'typescript')
    return { command: `printf '${answer}\\n' | ${TERMINAL} -qefc '${LAUNCHER} index' ${typescript}`, typescript }
  }
  const answering = (box: Sandbox, environment: Readonly<Record<string, string>>, answer: string): string => {
    const { command, typescript } = terminal(box, answer)
    spawnSync('sh', ['-c', command], { cwd: box.workspace, env: { ...box.environment(), ...environment }, stdio: 'ignore' })
    // Long lines are broken between words.
    return readFileSync(typescript, 'utf8').replace(/\s+/g, ' ')
  }

  test('the question names host, documents and tokens, is put once, and no means no', async () => {
    const proxy = await new RecordingProxy().start()
    const box = notes()
    const environment = { ...CREDENTIALS, ...proxy.environment() }
    const first = answering(box, environment, 'n')
    expect(first).toMatch(/2 documents \(about \d+ tokens, about \$0\.0+\d+\)/)
    expect(first).toMatch(/would be sent to api\.openai\.com.*text-embedding-3-small/)
    expect(answering(box, environment, 'y')).not.toContain('[y/N]')
    expect(proxy.connections).toBe(0)
    expect((await jsonBeside(box, ['search', 'router'], environment)).document.degraded).toEqual([])
  })

  test('yes sends, from then on', async () => {
    const proxy = await new RecordingProxy().start()
    const box = notes()
    const environment = { ...CREDENTIALS, ...proxy.environment() }
    const asked = proxy.tunnel()
    const { command, typescript } = terminal(box, 'y')
    const options = { cwd: box.workspace, env: { ...box.environment(), ...environment }, stdio: 'ignore' } as const
    const child = spawn('sh', ['-c', command], { ...options, detached: true })
    const ended = once(child, 'close')
    await asked
    // The terminal writes down what it shows a moment after it was shown.
    await expect.poll(() => readFileSync(typescript, 'utf8')).toContain('[y/N]')
    // The whole group: what would come after is only tried again.
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await ended
  })
})
