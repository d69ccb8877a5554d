// Browsers that Playwright cannot drive as Debian ships them: Firefox by WebDriver BiDi, WebKitGTK by plain WebDriver. Both
// get the same few commands as scripts, because the tests that use them are short.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type OtherBrowser = {
  goto(url: string): Promise<void>
  /** Runs in the page; its result must be JSON. */
  run<T>(script: string): Promise<T>
  close(): Promise<void>
}

/** How long a test with one of them may take, in milliseconds. */
export const patience = 90_000

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
  const own = belongings('firefox')
  const args = [
    '--headless',
    '--no-remote',
    '--profile',
    own.folder,
    '--remote-debugging-port',
    '0',
    'about:blank',
  ]
  return own.orTidyUp(async () => {
    const env = { ...process.env, HOME: own.folder, MOZ_REMOTE_ALLOW_SYSTEM_ACCESS: '0' }
    const child = own.run(firefox!, args, env)
    const send = await openBidi(await said(child, /WebDriver BiDi listening on (ws:\/\/\S+)/))
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
      close: own.tidyUp,
    }
  })
}

/** Sends commands. Pending commands are rejected when the connection breaks. */
async function openBidi(address: string) {
  const socket = new WebSocket(`${address}/session`)
  const waiting = new Map<number, { resolve(answer: Bidi): void; reject(error: Error): void }>()
  socket.onmessage = event => {
    const answer = JSON.parse(String(event.data)) as Bidi
    if (answer.id !== undefined) waiting.get(answer.id)?.resolve(answer)
  }
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('Firefox does not answer'))
  })
  socket.onclose = () => {
    for (const one of waiting.values()) one.reject(new Error('Firefox hung up'))
  }
  let last = 0
  return async (method: string, params: object) => {
    const id = ++last
    const answer = await new Promise<Bidi>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ id, method, params }))
    })
    waiting.delete(id)
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`)
    return answer.result!
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
  const own = belongings('webkit')
  return own.orTidyUp(async () => {
    const size = ['-screen', '0', '1280x900x24', '-nolisten', 'tcp']
    const screen = own.run(display!, ['-displayfd', '1', ...size], process.env)
    const env = {
      ...process.env,
      HOME: own.folder,
      DISPLAY: `:${await said(screen, /^(\d+)\n/)}`,
      XDG_RUNTIME_DIR: own.folder,
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      GDK_BACKEND: 'x11',
      LANG: 'C.UTF-8',
    }
    const ask = await startDriver(own, env)
    const options = { binary: miniBrowser, args: ['--automation'] }
    // As long as the test itself may take: a busy machine must not look like a page that hangs.
    const timeouts = { script: patience, pageLoad: patience }
    const capabilities = { alwaysMatch: { timeouts, 'webkitgtk:browserOptions': options } }
    const { sessionId } = await ask<{ sessionId: string }>('POST', '/session', { capabilities })
    const session = `/session/${sessionId}`
    return {
      goto: async url => void (await ask('POST', `${session}/url`, { url })),
      async run<T>(script: string) {
        const text = `const done = arguments[0]
          Promise.resolve((${script})()).then(value => done(JSON.stringify(value ?? null)), error => done('!' + error))`
        const said = await ask<string>('POST', `${session}/execute/async`, { script: text, args: [] })
        if (said.startsWith('!')) throw new Error(said.slice(1))
        return JSON.parse(said) as T
      },
      async close() {
        // Ends the browser, which is a child process of the driver.
        await ask('DELETE', session).catch(() => {})
        await own.tidyUp()
      },
    }
  })
}

type Ask = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<T>

/** The driver needs a port. If another program takes it first, the next one is tried. */
async function startDriver(own: Belongings, env: NodeJS.ProcessEnv): Promise<Ask> {
  for (let tries = 1; ; tries++) {
    const port = await freePort()
    const child = own.run(driver!, [`--port=${port}`], env)
    const ask: Ask = async (method, path, body) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
      })
      const { value } = (await response.json()) as { value: unknown }
      if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
      return value as never
    }
    try {
      await answering(child, () => ask('GET', '/status'))
      return ask
    } catch (error) {
      if (tries === 5) throw error
      await ended(child)
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

type Belongings = ReturnType<typeof belongings>

/** The processes and the folder of one browser: removed with it, even if it never started. */
function belongings(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `holdfast-${name}-`))
  const children: ChildProcess[] = []
  const tidyUp = async () => {
    for (const child of children.toReversed()) await ended(child)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  return {
    folder,
    tidyUp,
    run(command: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
      const child = spawn(command, args, { env })
      children.push(child)
      return child
    },
    async orTidyUp<T>(start: () => Promise<T>): Promise<T> {
      try {
        return await start()
      } catch (error) {
        await tidyUp()
        throw error
      }
    },
  }
}

/** The first match in the output of a program. */
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
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`ended with ${code}: ${text.slice(-500)}`)))
  })
}

/** Polls until there is an answer or the process has ended. */
async function answering(child: ChildProcess, ask: () => Promise<unknown>) {
  for (;;)
    try {
      return await ask()
    } catch (error) {
      if (hasEnded(child)) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Sends SIGTERM, and SIGKILL if that has no effect. */
async function ended(child: ChildProcess) {
  if (hasEnded(child) || child.pid === undefined) return
  const end = new Promise(resolve => child.once('exit', resolve))
  child.kill()
  const timeout = setTimeout(() => child.kill('SIGKILL'), 5000)
  await end
  clearTimeout(timeout)
}
