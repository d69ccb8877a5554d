import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

// The layers of docs/architecture.md: which folder may import which. Types count as well.

const ground = ['errors', 'languages', 'lib', 'rules', 'entities']
const setup = [...ground, 'config', 'service', 'callers', 'links', 'db', 'db/base', 'db/setup']
const scheduling = [...setup, 'db/scheduling']
const booking = [...scheduling, 'db/booking']
const leaving = ['messages', 'webhooks', 'feeds', 'calendars']
const actions = ['actions', 'actions/setup', 'actions/scheduling', 'actions/booking', 'actions/console']

const mayUse: Record<string, string[]> = {
  // Types only: what the sentence of an error needs.
  errors: ['error-texts'],
  'error-texts': ['languages', 'rules'],
  languages: [],
  lib: [],
  rules: ['errors', 'languages', 'lib', 'web/shared'],
  // What fields each entity has.
  entities: ['errors', 'languages', 'lib', 'rules'],
  config: ground,
  callers: setup,
  links: ['lib', 'service'],
  // Types only: shared by all layers. start/make-service.ts builds it.
  service: [
    ...ground,
    'config',
    'db',
    'db/base',
    'db/setup',
    'db/booking',
    'actions/booking',
    'webhooks',
    'calendars',
  ],
  'db/base': ground,
  'db/embedded': ['lib'],
  'db/backup': [...ground, 'db', 'db/base'],
  db: [...ground, 'db/base'],
  'db/setup': [...ground, 'db', 'db/base'],
  'db/scheduling': [...ground, 'db', 'db/base', 'db/setup'],
  'db/booking': [...ground, 'db', 'db/base', 'db/setup', 'db/scheduling'],
  // Emails write time zones as the pages do.
  messages: [...booking, 'web/shared'],
  // Their logs say what is wrong with an address.
  webhooks: [...booking, 'error-texts'],
  feeds: booking,
  calendars: [...booking, 'error-texts', 'webhooks', 'feeds'],
  // Every action calls it, and it calls no action.
  actions: [...booking, ...leaving],
  'actions/setup': [...setup, ...leaving, 'actions'],
  'actions/scheduling': [...booking, ...leaving, 'actions', 'actions/setup'],
  'actions/booking': [...booking, ...leaving, 'actions', 'actions/setup', 'actions/scheduling'],
  'actions/console': [...booking, ...leaving, ...actions],
  // The edge renders errors.
  'http/wire': [...setup, 'error-texts', 'actions', 'actions/setup'],
  'http/setup': [...setup, ...leaving, 'http/wire', 'actions', 'actions/setup'],
  'http/scheduling': [
    ...booking,
    'error-texts',
    ...leaving,
    'http/wire',
    'http/setup',
    'actions',
    'actions/setup',
    'actions/scheduling',
  ],
  'http/booking': [...booking, ...leaving, ...actions, 'http/wire', 'http/setup', 'http/scheduling'],
  // Tools for agents.
  'http/mcp': [...booking, 'error-texts', ...leaving, ...actions, 'http/wire', 'http/booking'],
  'http/events': [...booking, ...leaving, ...actions, 'http/wire', 'http/setup', 'http/scheduling'],
  'http/console': [
    ...booking,
    ...leaving,
    ...actions,
    'http/wire',
    'http/setup',
    'http/scheduling',
    'http/booking',
    // The console reads the same log as integrators.
    'http/events',
  ],
  // The booking page shows what the consumer API answers.
  pages: [...booking, ...leaving, ...actions, 'http/wire', 'http/booking', 'web/shared'],
}

/** Folders above the layers may import anything. */
const roof = new Set(['app', 'main', 'start', 'commands', 'torture'])

type Arrow = { from: string; to: string }

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => posix.join(folder, name))
}

const files = [...filesBelow('src'), ...filesBelow('web')]

function arrowsOf(file: string): Arrow[] {
  const specs = readFileSync(file, 'utf8').matchAll(
    /(?:from|import)\s*\(?\s*'((?:\.{1,2}|#shared)\/[^']+\.tsx?)'/g,
  )
  return [...specs].map(([_key, spec]) => ({ from: file, to: targetOf(file, spec!) }))
}

/** `#shared/` is package.json's name for web/shared. */
const targetOf = (file: string, spec: string) =>
  spec.startsWith('#') ? posix.join('web', spec.slice(1)) : posix.join(posix.dirname(file), spec)

const arrows = files.flatMap(arrowsOf)

/** `src/http/booking/list.ts` belongs to http/booking, `src/errors.ts` to errors. */
function roomOf(file: string): string {
  const [top, room = '', inner = '', deeper] = file.replace(/\.tsx?$/, '').split('/')
  if (top !== 'src') return `${top}/${room}`
  const hasRooms = ['http', 'actions', 'db'].includes(room)
  return hasRooms && deeper !== undefined ? `${room}/${inner}` : room
}

test('every import follows the layers', () => {
  const wrong = arrows.filter(({ from, to }) => {
    const [above, below] = [roomOf(from), roomOf(to)]
    if (!from.startsWith('src/') || above === below || roof.has(above)) return false
    return !mayUse[above]?.includes(below)
  })
  expect(wrong).toEqual([])
})

test('the server imports only web/shared from web, and web only the rules of questions, CSV and types of the client', () => {
  const toWeb = arrows.filter(({ from, to }) => from.startsWith('src/') && to.startsWith('web/'))
  expect(toWeb.filter(({ to }) => !to.startsWith('web/shared/'))).toEqual([])
  const fromWeb = arrows.filter(({ from }) => from.startsWith('web/'))
  const toServer = fromWeb.filter(({ to }) => to.startsWith('src/'))
  const shared = ['src/rules/questions/', 'src/lib/csv.ts']
  expect(toServer.filter(({ to }) => !shared.some(one => to.startsWith(one)))).toEqual([])
  const parts = fromWeb.filter(({ from, to }) => to.startsWith('web/') && roomOf(from) !== roomOf(to))
  expect(parts.filter(({ to }) => !to.startsWith('web/shared/'))).toEqual([])
})

test('there are no import cycles, not even of types', () => {
  const next = Map.groupBy(arrows, one => one.from)
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (done.has(file) || path.includes(file)) return
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})
