// A real CalDAV server (Debian's radicale) in a folder of its own.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const freePort = () =>
  new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const authorization = `Basic ${Buffer.from('ann:app-password').toString('base64')}`

export async function startRadicale() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-radicale-'))
  const port = await freePort()
  writeFileSync(join(folder, 'users'), 'ann:app-password\n')
  const config = [
    '[server]',
    `hosts = 127.0.0.1:${port}`,
    '[auth]',
    'type = htpasswd',
    `htpasswd_filename = ${join(folder, 'users')}`,
    'htpasswd_encryption = plain',
    'delay = 0',
    '[storage]',
    `filesystem_folder = ${join(folder, 'data')}`,
    '[rights]',
    'type = owner_only',
  ]
  writeFileSync(join(folder, 'config'), `${config.join('\n')}\n`)
  const child = spawn('radicale', ['--config', join(folder, 'config')], { stdio: 'ignore' })
  let isMissing = false
  child.once('error', () => {
    isMissing = true
  })
  const url = `http://127.0.0.1:${port}`
  const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    })
  for (let tries = 0; ; tries++) {
    const answer = await send('PROPFIND', '/', '').catch(() => null)
    if (answer) break
    if (isMissing) throw new Error('The tests of CalDAV need radicale: apt-get install radicale')
    if (tries > 100) throw new Error('radicale did not start')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return {
    url,
    send,
    async makeCalendar(name: string, components = 'VEVENT') {
      const body = `<?xml version="1.0"?><d:mkcol xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>
        <d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>${name}</d:displayname>
        <c:supported-calendar-component-set><c:comp name="${components}"/></c:supported-calendar-component-set>
        </d:prop></d:set></d:mkcol>`
      const path = `/ann/${name.toLowerCase()}/`
      const { status } = await send('MKCOL', path, body)
      if (status !== 201) throw new Error(`MKCOL ${status}`)
      return path
    },
    async put(path: string, text: string) {
      const { status } = await send('PUT', path, text, { 'content-type': 'text/calendar' })
      if (status > 204) throw new Error(`PUT ${status}`)
    },
    /** Names of the entries of a calendar. */
    async namesIn(path: string) {
      const answer = await send('PROPFIND', path, '', { depth: '1' })
      return [...(await answer.text()).matchAll(/<href>[^<]*?([^/<]+\.ics)<\/href>/g)].map(
        ([_match, name]) => name!,
      )
    },
    async close() {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill()
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
