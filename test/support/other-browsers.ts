// Browsers that Playwright cannot drive as Debian ships them: Firefox by WebDriver BiDi, WebKitGTK by plain WebDriver. Both
// are told the same few things, in scripts: the tests that use them are short.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type OtherBrowser = {
  goto(url: string): Promise<void>
  /** Runs in the page; what it answers must be JSON. */
  run<T>(script: string): Promise<T>
  close(): Promise<void>
}

export type Kind = { name: string; missing: string | null; start(): Promise<OtherBrowser> }

const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync)
const driver = ['/usr/bin/WebKitWebDriver'].find(existsSync)
const display = ['/usr/bin/Xvfb'].find(existsSync)
const miniBrowser = findMiniBrowser()

export const otherBrowsers: Kind[] = [
  { name: 'Firefox', missing: firefox ? null : 'firefox-esr', start: startFirefox },
  {
    name: 'WebKitGTK',
    missing: !driver || !miniBrowser ? 'webkit2gtk-driver' : display ? null : 'xvfb',
    start: startWebKit,
  },
]

function findMiniBrowser(): string | undefined {
  const folder = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
  if (!existsSync(folder)) return undefined
  const versions = readdirSync(folder).filter(name => name.startsWith('webkit2gtk-4'))
  return versions.map(name => join(folder, name, 'MiniBrowser')).find(existsSync)
}

async function startFirefox(): Promise<OtherBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'holdfast-firefox-'))
  const args = [
    '--headless',
    '--no-remote',
    '--profile',
    profile,
    '--remote-debugging-port',
    '0',
    'about:blank',
  ]
  const child = spawn(firefox!, args, {
    env: { ...process.env, HOME: profile, MOZ_REMOTE_ALLOW_SYSTEM_ACCESS: '0' },
  })
  const address = await said(child, /WebDriver BiDi listening on (ws:\/\/\S+)/)
  const socket = new WebSocket(`${address}/session`)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('Firefox does not answer'))
  })
  const waiting = new Map<number, (answer: Bidi) => void>()
  socket.onmessage = event => {
    const answer = JSON.parse(String(event.data)) as Bidi
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  }
  let last = 0
  const send = async (method: string, params: object) => {
    const id = ++last
    const answer = await new Promise<Bidi>(resolve => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`)
    return answer.result!
  }
  await send('session.new', { capabilities: {} })
  const { contexts } = await send('browsingContext.getTree', {})
  const context = contexts![0]!.context
  return {
    goto: async url => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async run<T>(script: string) {
      const { result, exceptionDetails } = await send('script.evaluate', {
        expression: `(async () => JSON.stringify((await (${script})()) ?? null))()`,
        target: { context },
        awaitPromise: true,
      })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return JSON.parse(result!.value) as T
    },
    async close() {
      socket.close()
      await ended(child)
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

type Bidi = {
  id?: number
  type: 'success' | 'error'
  message?: string
  result?: {
    contexts?: { context: string }[]
    result?: { value: string }
    exceptionDetails?: { text: string }
  }
}

async function startWebKit(): Promise<OtherBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-webkit-'))
  const screen = spawn(display!, ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'])
  const number = await said(screen, /^(\d+)\n/)
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const env = {
    ...process.env,
    DISPLAY: `:${number}`,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    GDK_BACKEND: 'x11',
    LANG: 'C.UTF-8',
  }
  const child = spawn(driver!, [`--port=${port}`], { env })
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value as never
  }
  await answering(() => ask('GET', '/status'))
  const options = { binary: miniBrowser, args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  const { sessionId } = await ask('POST', '/session', { capabilities })
  const session = `/session/${sessionId}`
  return {
    goto: async url => void (await ask('POST', `${session}/url`, { url })),
    async run<T>(script: string) {
      const text = `const done = arguments[0]
        Promise.resolve((${script})()).then(value => done(JSON.stringify(value ?? null)), error => done('!' + error))`
      const said: string = await ask('POST', `${session}/execute/async`, { script: text, args: [] })
      if (said.startsWith('!')) throw new Error(said.slice(1))
      return JSON.parse(said) as T
    },
    async close() {
      await ask('DELETE', session)
      await ended(child)
      await ended(screen)
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** The first thing of this form that a program says. */
function said(child: ChildProcess, what: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const listen = (chunk: Buffer) => {
      text += chunk
      const found = what.exec(text)
      if (found) resolve(found[1]!)
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', code => reject(new Error(`ended with ${code}: ${text.slice(-500)}`)))
  })
}

async function answering(ask: () => Promise<unknown>) {
  for (let tries = 0; ; tries++)
    try {
      return await ask()
    } catch (error) {
      if (tries === 100) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
}

async function ended(child: ChildProcess) {
  if (child.exitCode !== null) return
  const end = new Promise(resolve => child.once('exit', resolve))
  child.kill()
  await end
}
