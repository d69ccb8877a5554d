import { readFile } from 'node:fs/promises'
import { errorTable } from '../../http/wire/docs/error-meanings.ts'
import { packagePath } from '../../lib/root.ts'

// The pages of /docs: files of docs/, and pages made from our own definitions.

export type DocPage = { slug: string; title: string; about: string; read(): Promise<string> }
type Group = { name: string; pages: DocPage[] }

const fromFile = (slug: string, title: string, about: string, file = slug): DocPage => ({
  slug,
  title,
  about,
  read: () => readFile(packagePath(`docs/${file}.md`), 'utf8'),
})

export const docGroups: Group[] = [
  {
    name: 'API',
    pages: [
      fromFile(
        'guide',
        'API guide',
        'Requests, errors, retries, lists, keys, booking and what happens when.',
        'api',
      ),
      {
        slug: 'errors',
        title: 'Error codes',
        about: 'What each error code means and what to do.',
        read: async () => errorPage(),
      },
      {
        slug: 'safe-writes',
        title: 'Safe writes',
        about: 'Repeat requests, refuse misspelt input, and never overwrite what others changed.',
        read: () =>
          sectionsOf(
            'api',
            'Safe writes',
            /^## (Retrying|Concurrent changes|Misspelt input)/,
            safeWritesLead,
          ),
      },
      {
        slug: 'request-log',
        title: 'Request log',
        about: 'What your keys called in the last seven days.',
        read: () => sectionsOf('api', 'Request log', /^### Request log/, requestLogLead),
      },
      fromFile('events', 'Events', 'The event log: order, retention, kinds.'),
      {
        slug: 'webhooks',
        title: 'Webhooks',
        about: 'Deliveries, retries, signatures.',
        read: () => sectionsOf('events', 'Webhooks', /^## .*(webhook|signature)/i, webhookLead),
      },
      fromFile('event-examples', 'Events by example', 'A recorded example of every event kind.'),
      fromFile('client', 'Clients', 'The TypeScript client, and generated clients for other languages.'),
      fromFile('widget', 'Widget', 'Put a booking calendar on any page.'),
      fromFile('glossary', 'Glossary', 'Provider, Resource, Participation and other words.'),
    ],
  },
  {
    name: 'How to',
    pages: [
      fromFile('nightly-sync', 'Nightly sync', 'Keep services, rooms, customers and times up to date.'),
      fromFile('mirror', 'Mirror appointments', 'A copy in your own database, seconds behind.'),
      fromFile('booking-ui', 'Your own booking UI', 'List, hold and complete.'),
      fromFile(
        'webhook-receivers',
        'Webhooks in five frameworks',
        'Express, Fastify, Next.js, Django and Laravel.',
      ),
      fromFile(
        'sandbox',
        'Sandbox',
        'A throw-away service for tests: move its clock, read its emails, let it fail.',
      ),
      fromFile('agents', 'Agents', 'Let digital assistants book over MCP.'),
      fromFile('going-live', 'Going live', 'A list to go through before real customers book.'),
    ],
  },
  {
    name: 'Operating',
    pages: [
      fromFile('calendars', 'External calendars', 'Busy times from Google, Outlook, Apple and others.'),
      fromFile('permissions', 'Permissions', 'What each role and key may do.'),
      fromFile('settings', 'Settings', 'Environment variables of the service.'),
      fromFile('operations', 'Operations', 'Install, monitor, back up.'),
      fromFile('upgrade', 'Upgrades', 'Move to a new version without downtime.'),
    ],
  },
]

export const docPages = docGroups.flatMap(group => group.pages)

const errorPage = () => `# Error codes

Every error has the same format: \`{"api-info": {...}, "errors": [{"errorCode", "message", "field"}]}\`. Programs decide by \`errorCode\`; \`message\` is for people and may
change. Several mistakes are reported at once, and the first determines the status. New codes may be added: treat unknown ones by their status.

${errorTable()}
`

const webhookLead =
  'Events are posted to your address. [Events](events.md) lists the kinds, and how to read the log instead.'
const safeWritesLead =
  'How a change happens once, as meant, and on top of what others changed. The [guide](api.md) covers everything else.'
const requestLogLead = 'Find your failed calls without asking the operator. [Keys](api.md#keys) have scopes.'

/** Parts of a longer page that readers look for by themselves. */
async function sectionsOf(file: string, title: string, wanted: RegExp, lead: string): Promise<string> {
  const text = await readFile(packagePath(`docs/${file}.md`), 'utf8')
  const parts = text.split(/^(?=###? )/m).filter(part => wanted.test(part))
  const body = parts.join('').replaceAll(/^### /gm, '## ').replaceAll('](#', `](${file}.md#`)
  return `# ${title}\n\n${lead}\n\n${body}`
}
