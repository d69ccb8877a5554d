import type { FastifyInstance } from 'fastify'
import { type Language, pickLanguage } from '../languages.ts'
import { html } from '../lib/html.ts'
import type { Service } from '../service.ts'
import { icon, sendPage } from './layout.ts'

type Texts = { what: string; docs: string; demo: string; console: string; lost: string }

const frontTexts: Record<Language, Texts> = {
  de: {
    what: 'Termine online buchen und verwalten.',
    docs: 'API-Dokumentation',
    demo: 'Buchungskalender ausprobieren',
    console: 'Anmeldung für Anbieter',
    lost: 'Sie möchten einen Termin buchen oder absagen? Bitte öffnen Sie den Link, den Sie erhalten haben.',
  },
  en: {
    what: 'Online appointment booking.',
    docs: 'API documentation',
    demo: 'Try the booking calendar',
    console: 'Provider login',
    lost: 'Want to book or cancel an appointment? Open the link you were sent.',
  },
  fr: {
    what: 'Prise de rendez-vous en ligne.',
    docs: 'Documentation de l’API',
    demo: 'Essayer le calendrier de réservation',
    console: 'Connexion des prestataires',
    lost: 'Vous souhaitez prendre ou annuler un rendez-vous\u00a0? Ouvrez le lien que vous avez reçu.',
  },
  es: {
    what: 'Reserva de citas online.',
    docs: 'Documentación de la API',
    demo: 'Probar el calendario de reservas',
    console: 'Acceso para negocios',
    lost: '¿Quiere reservar o cancelar una cita? Abra el enlace que ha recibido.',
  },
  it: {
    what: 'Prenotazione di appuntamenti online.',
    docs: 'Documentazione dell’API',
    demo: 'Prova il calendario delle prenotazioni',
    console: 'Accesso per le attività',
    lost: 'Desidera prenotare o annullare un appuntamento? Apra il link che ha ricevuto.',
  },
}

/** A person who opens the bare address sees what this service is; programs get the usual 404. */
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
