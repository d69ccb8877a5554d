import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from './api.ts'
import { useLoad } from './load.ts'
import { useResources } from './pages/offers/offers.ts'
import { may, useSession } from './session.ts'
import { Button } from './ui/Button.tsx'
import { MailServerNote } from './ui/MailServerNote.tsx'
import { words } from './words.ts'

const texts = words({
  en: {
    demo: 'This is a demo with made-up customers, who get no emails.',
    setUp: 'Set up your business',
    failed: (count: string) =>
      count === '1'
        ? 'One email couldn’t be delivered this week.'
        : `${count} emails couldn’t be delivered this week.`,
    look: 'View emails',
    retention: 'Customer data and emails are kept forever. Choose how long to keep them.',
    decide: 'Choose',
    understood: 'Not now',
    unfinished: 'Customers can’t book here yet.',
    goOn: 'Continue setup',
  },
  de: {
    demo: 'Das ist eine Demo mit erfundenen Kunden, die keine E-Mails erhalten.',
    setUp: 'Betrieb einrichten',
    failed: count =>
      count === '1'
        ? 'Eine E-Mail konnte diese Woche nicht zugestellt werden.'
        : `${count} E-Mails konnten diese Woche nicht zugestellt werden.`,
    look: 'Ansehen',
    retention: 'Kundendaten und E-Mails werden unbegrenzt gespeichert. Legen Sie fest, wie lange.',
    decide: 'Festlegen',
    understood: 'Nicht jetzt',
    unfinished: 'Hier können Kunden noch nicht buchen.',
    goOn: 'Einrichtung fortsetzen',
  },
  fr: {
    demo: 'Ceci est une démo avec des clients fictifs, qui ne reçoivent pas d’e-mails.',
    setUp: 'Configurer votre établissement',
    failed: count =>
      count === '1'
        ? 'Un e-mail de cette semaine n’a pas pu être remis.'
        : `${count} e-mails de cette semaine n’ont pas pu être remis.`,
    look: 'Voir les e-mails',
    retention: 'Les données des clients et les e-mails sont conservés sans limite. Choisissez une durée.',
    decide: 'Choisir',
    understood: 'Pas maintenant',
    unfinished: 'Les clients ne peuvent pas encore réserver ici.',
    goOn: 'Continuer la configuration',
  },
  es: {
    demo: 'Esta es una demo con clientes inventados, que no reciben correos.',
    setUp: 'Configurar su negocio',
    failed: count =>
      count === '1'
        ? 'No se pudo entregar un correo de esta semana.'
        : `No se pudieron entregar ${count} correos de esta semana.`,
    look: 'Ver correos',
    retention: 'Los datos de clientes y los correos se guardan para siempre. Elija un plazo.',
    decide: 'Elegir',
    understood: 'Ahora no',
    unfinished: 'Los clientes todavía no pueden reservar aquí.',
    goOn: 'Continuar la configuración',
  },
  it: {
    demo: 'Questa è una demo con clienti inventati, che non ricevono e-mail.',
    setUp: 'Configura l’attività',
    failed: count =>
      count === '1'
        ? 'Un’e-mail di questa settimana non è stata consegnata.'
        : `${count} e-mail di questa settimana non sono state consegnate.`,
    look: 'Vedi le e-mail',
    retention: 'I dati dei clienti e le e-mail vengono conservati per sempre. Scelga per quanto tempo.',
    decide: 'Scegli',
    understood: 'Non ora',
    unfinished: 'I clienti non possono ancora prenotare qui.',
    goOn: 'Continua la configurazione',
  },
})

/** Notices on the first page, shown only while they apply. */
export function Notices() {
  const { me, provider } = useSession()
  const isManager = may(me, 'crm')
  return (
    <div class="notices no-print">
      {provider?.isDemo && isManager && <Demo />}
      {!provider?.isDemo && may(provider!, 'manage') && <MailServerNote />}
      {may(provider!, 'mails') && <FailedMails />}
      {may(me, 'service') && <Retention />}
      {isManager && me.crm && <CrmRetention crm={me.crm} />}
    </div>
  )
}

/** The way back from the demo. */
const Demo = () => (
  <p class="card row" role="status">
    <strong>{texts.demo}</strong>
    <Link href="/start/new" class="button main">
      {texts.setUp}
    </Link>
  </p>
)

/** Shown on an empty day: links back to setup steps that were left unfinished. */
export function Unfinished() {
  const { data } = useResources()
  if (!data || data.resources.some(one => !one.archived && one.hasTimes)) return null
  return (
    <p class="card row" role="status">
      <strong>{texts.unfinished}</strong>
      <Link href="/start" class="button">
        {texts.goOn}
      </Link>
    </p>
  )
}

const most = 20
const week = 7 * 86_400_000

/** If an email fails, the customer does not know about the booking. */
function FailedMails() {
  const { data } = useLoad('failed-mails', signal =>
    api.get('/mails', { query: { state: 'failed', limit: most }, signal }),
  )
  const count = data?.mails.filter(mail => Date.parse(mail.createdAt) > Date.now() - week).length ?? 0
  if (count === 0) return null
  return (
    <p class="card row" role="status">
      <strong>{texts.failed(count < most ? String(count) : `${most}+`)}</strong>
      <Link href="/mails?state=failed" class="button">
        {texts.look}
      </Link>
    </p>
  )
}

/** Retention is off until it is set, so the operator is asked to decide. */
function Retention() {
  const { data } = useLoad('operator', signal => api.get('/operator', { signal }))
  return data && data.retention.crmsWithout > 0 ? <NoRetentionNotice /> : null
}

/** The same for the administrator of one CRM. */
function CrmRetention({ crm }: { crm: string }) {
  const path = `/crms/${encodeURIComponent(crm)}/retention` as const
  const { data } = useLoad(`retention-${crm}`, signal => api.get(path, { signal }))
  if (!data) return null
  const { forAll, mailDays, customerMonths } = data
  const isSet = (mailDays ?? forAll.mailDays) !== null && (customerMonths ?? forAll.customerMonths) !== null
  return isSet ? null : <NoRetentionNotice />
}

const seen = 'holdfast-console-retention-seen'

function NoRetentionNotice() {
  const [isSeen, setSeen] = useState(() => localStorage.getItem(seen) === '1')
  if (isSeen) return null
  const understood = () => {
    localStorage.setItem(seen, '1')
    setSeen(true)
  }
  return (
    <p class="card row" role="status">
      <span>{texts.retention}</span>
      <Link href="/integration" class="button">
        {texts.decide}
      </Link>
      <Button onClick={understood}>{texts.understood}</Button>
    </p>
  )
}
