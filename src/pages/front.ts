import type { FastifyInstance } from 'fastify'
import { type Language, pickLanguage } from '../languages.ts'
import { html } from '../lib/html.ts'
import type { Service } from '../service.ts'
import { icon } from './icon.ts'
import { sendPage } from './layout.ts'

type Texts = { what: string; docs: string; demo: string; console: string; lost: string }

const frontTexts: Record<Language, Texts> = {
  de: {
    what: 'Hier werden Termine gebucht und verwaltet.',
    docs: 'Dokumentation der Schnittstelle',
    demo: 'Der Buchungskalender zum Ausprobieren',
    console: 'Anmeldung für Anbieter',
    lost: 'Sie möchten einen Termin buchen oder absagen? Bitte öffnen Sie den Link, den Sie bekommen haben.',
  },
  en: {
    what: 'Appointments are booked and looked after here.',
    docs: 'Documentation of the interface',
    demo: 'The booking calendar, to try out',
    console: 'Login for providers',
    lost: 'Would you like to book or cancel an appointment? Please open the link that you were given.',
  },
  fr: {
    what: 'Ici, on réserve et on gère des rendez-vous.',
    docs: 'Documentation de l’interface',
    demo: 'Le calendrier de réservation, à essayer',
    console: 'Connexion pour les prestataires',
    lost: 'Vous souhaitez prendre ou annuler un rendez-vous ? Veuillez ouvrir le lien que vous avez reçu.',
  },
  es: {
    what: 'Aquí se reservan y gestionan citas.',
    docs: 'Documentación de la interfaz',
    demo: 'El calendario de reservas, para probarlo',
    console: 'Acceso para proveedores',
    lost: '¿Quiere reservar o cancelar una cita? Abra el enlace que ha recibido.',
  },
  it: {
    what: 'Qui si prenotano e si gestiscono appuntamenti.',
    docs: 'Documentazione dell’interfaccia',
    demo: 'Il calendario delle prenotazioni, da provare',
    console: 'Accesso per i fornitori',
    lost: 'Desidera prenotare o annullare un appuntamento? Apra il link che ha ricevuto.',
  },
}

/** A person who opens the bare address sees what this is; programs get the usual 404. */
export function addFrontPage(app: FastifyInstance, { config }: Service) {
  app.get('/', async (request, reply) => {
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) return reply.callNotFound()
    const language = pickLanguage(request.headers['accept-language'], config.language)
    const { what, docs, demo, console, lost } = frontTexts[language]
    const content = html`<p>${what}</p><p class="soft">${lost}</p>
<ul><li><a href="/docs">${docs}</a></li><li><a href="/demo">${demo}</a></li><li><a href="/console">${console}</a></li></ul>`
    return sendPage(reply, 200, language, 'Holdfast', content)
  })

  app.get('/robots.txt', async (_request, reply) => {
    const lines = notForMachines.map(path => `Disallow: ${path}\n`)
    return sendForADay(reply, 'text/plain; charset=utf-8').send(`User-agent: *\n${lines.join('')}`)
  })

  for (const path of ['/favicon.ico', '/favicon.svg'])
    app.get(path, async (_request, reply) => sendForADay(reply, 'image/svg+xml').send(icon))
}

type Reply = Parameters<typeof sendPage>[0]

const sendForADay = (reply: Reply, type: string) =>
  reply
    .header('cache-control', 'public, max-age=86400')
    .header('x-content-type-options', 'nosniff')
    .type(type)

/** Only booking pages and the widget may be indexed: links in emails are secrets. */
const notForMachines = [
  '/cancel/',
  '/booked/',
  '/move/',
  '/accept/',
  '/decline/',
  '/verify/',
  '/calendar/',
  '/console',
  '/crms/',
]
