// node scripts/first-booking.ts [http://localhost:8080] [resource]: from an empty folder to a booking with
// the packed client, in Node and in a React page, against a running service (the demo's booking page names a
// Resource). Prints the seconds.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const [baseUrl = 'http://localhost:8080', ref = ''] = process.argv.slice(2)
const client = fileURLToPath(new URL('../clients/ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'holdfast-first-booking-'))
const run = (cwd: string, program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** What a newcomer copies from docs/client.md. */
const booking = `import { makeClient, unwrap } from '@holdfast/client'
export async function book(baseUrl, ref) {
  const client = makeClient({ baseUrl })
  const params = { path: { ref } }
  const groups = await unwrap(client.GET('/resources/{ref}/upcoming_bookables', { params }))
  const slot = Object.values(groups).flat().find(one => one.start)
  const { start, end, timeslot_uuid, products } = slot
  const person = { email: 'first' + Date.now() + '@example.org', firstname: 'Ann', lastname: 'Berg' }
  const body = { start, end, timeslot_uuid, product_uuid: products[0].uuid, ...person }
  const booked = await unwrap(client.POST('/resources/{ref}/create_appointment_with_consumer', { params, body }))
  return booked.createdAppointment.start
}
`

function timed<T>(begun: number, what: string, result: T): T {
  process.stdout.write(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s\n`)
  return result
}

function project(name: string, ...packages: string[]) {
  const place = join(folder, name)
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{"private": true, "type": "module"}')
  const tarball = run(client, 'npm', 'pack', '--silent', '--pack-destination', place).split('\n').at(-1)!
  run(place, 'npm', 'install', '--silent', `./${tarball}`, ...packages)
  writeFileSync(join(place, 'book.js'), booking)
  return place
}

function inNode() {
  const begun = performance.now()
  const place = project('node')
  const call = `import { book } from './book.js'; console.log(await book(${JSON.stringify(baseUrl)}, ${JSON.stringify(ref)}))`
  timed(begun, `Node, booked ${run(place, process.execPath, '--input-type=module', '-e', call)}`, null)
}

async function inReact() {
  const begun = performance.now()
  const place = project('react', 'react', 'react-dom', 'vite@8.3.5')
  writeFileSync(
    join(place, 'index.html'),
    '<div id="root"></div><script type="module" src="/main.jsx"></script>',
  )
  writeFileSync(
    join(place, 'main.jsx'),
    `import React, { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { book } from './book.js'
function Page() {
  const [booked, setBooked] = useState('')
  const onClick = () => book(${JSON.stringify(baseUrl)}, ${JSON.stringify(ref)}).then(setBooked, error => setBooked(String(error)))
  return <><button onClick={onClick}>Book</button><output>{booked}</output></>
}
createRoot(document.getElementById('root')).render(<Page />)
`,
  )
  writeFileSync(join(place, 'vite.config.js'), "export default { oxc: { jsx: { runtime: 'classic' } } }")
  run(place, join(place, 'node_modules/.bin/vite'), 'build')
  const { preview } = await import('vite')
  const server = await preview({ root: place, preview: { port: 0 }, logLevel: 'silent' })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage()
    await page.goto(server.resolvedUrls!.local[0]!)
    await page.getByRole('button', { name: 'Book' }).click()
    const output = page.locator('output', { hasText: /./ })
    timed(begun, `React page (Vite, Chromium), booked ${await output.textContent()}`, null)
  } finally {
    await browser.close()
    await server.close()
  }
}

try {
  inNode()
  await inReact()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
