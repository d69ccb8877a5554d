// npm run failover: what visitors see in an outage behind the shipped HAProxy and nginx configurations.

import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { packagePath } from '../../src/lib/root.ts'
import { makeService } from '../../src/start/make-service.ts'
import { freePort, newDataDir } from '../support/process.ts'
import { eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const languages = ['en', 'de', 'fr', 'es', 'it']
const isHere = (name: string) => spawnSync(name, ['-v']).status === 0

it.each(['haproxy', 'nginx'] as const)(
  "%s shows Holdfast's page, and the error page when no instance runs",
  async name => {
    if (!isHere(name)) return console.log(`${name} is not installed: its error page is not tested.`)
    const ports = [await freePort(), await freePort()] as [string, string]
    const url = await (name === 'haproxy' ? startHaproxy(ports) : startNginx(ports))
    const visit = () =>
      fetch(`${url}/book/any`, { headers: { accept: 'text/html', 'accept-language': 'fr' } }).then(
        async answer => ({
          status: answer.status,
          after: answer.headers.get('retry-after'),
          text: await answer.text(),
        }),
        () => null,
      )

    const app = await appWithoutDatabase()
    await app.listen({ port: Number(ports[0]), host: '127.0.0.1' })
    // The last instance is not ready but still gets requests, and answers in the visitor's language.
    const own = await eventually(async () => {
      const page = await visit()
      return page?.text.includes('Indisponible pour le moment') && page
    }, 20)
    expect([own.status, own.after]).toEqual([503, '2'])

    await app.close()
    const page = await eventually(async () => {
      const page = await visit()
      return page?.text.includes('lang="it"') && page
    }, 20)
    expect([page.status, page.after]).toEqual([503, '10'])
    expect(page.text).toBe(readFileSync(packagePath('deploy/error-page/unavailable.html'), 'utf8'))
    for (const language of languages) expect(page.text).toContain(`<section lang="${language}">`)
  },
)

async function appWithoutDatabase() {
  const db = openDb({ ...holdfast.connection, host: '127.0.0.1', port: Number(await freePort()) })
  onTestFinished(() => db.close())
  return buildApp(makeService({ ...holdfast.service, db }))
}

function startWith(name: string, port: string, file: string, text: string, args: string[]): string {
  writeFileSync(file, text)
  const child = spawn(name, [...args, file], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return `http://127.0.0.1:${port}`
}

const atPorts = (text: string, [one, two]: [string, string]) =>
  text.replaceAll('127.0.0.1:8081', `127.0.0.1:${one}`).replaceAll('127.0.0.1:8082', `127.0.0.1:${two}`)

async function startHaproxy(ports: [string, string]) {
  const port = await freePort()
  const text = atPorts(readFileSync(packagePath('deploy/haproxy.cfg'), 'utf8'), ports)
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replaceAll('/etc/haproxy/', packagePath('deploy/error-page/').pathname)
  return startWith('haproxy', port, join(newDataDir(), 'haproxy.cfg'), text, ['-db', '-f'])
}

async function startNginx(ports: [string, string]) {
  const port = await freePort()
  const folder = newDataDir()
  const server = atPorts(readFileSync(packagePath('deploy/nginx.conf'), 'utf8'), ports)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll('/usr/share/holdfast', packagePath('deploy/error-page').pathname)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `${kind}_temp_path ${join(folder, kind)};`,
  )
  const text = `user root; daemon off; master_process off; pid ${join(folder, 'pid')}; error_log /dev/null; events {}
    http { access_log off; ${paths.join(' ')} types { text/html html; } ${server} }`
  return startWith('nginx', port, join(folder, 'nginx.conf'), text, ['-c'])
}
