import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from './api.ts'
import { useLoad } from './load.ts'
import { useResources } from './pages/offers/offers.ts'
import { useSession } from './session.ts'
import { Button } from './ui/Button.tsx'
import { words } from './words.ts'

const texts = words({
  en: {
    failed: (count: string) =>
      count === '1'
        ? 'One mail of this week could not be delivered.'
        : `${count} mails of this week could not be delivered.`,
    look: 'Look at them',
    retention: 'Past customers and what mails said are kept for ever, until you decide for how long.',
    decide: 'Decide',
    understood: 'Understood',
    unfinished: 'Nobody can book here yet.',
    goOn: 'Go on with the first steps',
  },
  de: {
    failed: count =>
      count === '1'
        ? 'Eine Mail dieser Woche konnte nicht zugestellt werden.'
        : `${count} Mails dieser Woche konnten nicht zugestellt werden.`,
    look: 'Ansehen',
    retention:
      'Was in Mails stand und wer einmal gebucht hat, bleibt für immer gespeichert, bis Sie festlegen, wie lange.',
    decide: 'Festlegen',
    understood: 'Verstanden',
    unfinished: 'Hier kann noch niemand buchen.',
    goOn: 'Weiter mit den ersten Schritten',
  },
  fr: {
    failed: count =>
      count === '1'
        ? 'Un e-mail de cette semaine n’a pas pu être remis.'
        : `${count} e-mails de cette semaine n’ont pas pu être remis.`,
    look: 'Les voir',
    retention:
      'Le contenu des e-mails et les anciens clients sont conservés sans limite, tant que vous ne fixez pas de durée.',
    decide: 'Décider',
    understood: 'Compris',
    unfinished: 'Personne ne peut encore réserver ici.',
    goOn: 'Poursuivre les premiers pas',
  },
  es: {
    failed: count =>
      count === '1'
        ? 'No se pudo entregar un correo de esta semana.'
        : `No se pudieron entregar ${count} correos de esta semana.`,
    look: 'Verlos',
    retention:
      'Lo que decían los correos y quién reservó se guarda para siempre, hasta que usted fije un plazo.',
    decide: 'Decidir',
    understood: 'Entendido',
    unfinished: 'Aquí todavía nadie puede reservar.',
    goOn: 'Seguir con los primeros pasos',
  },
  it: {
    failed: count =>
      count === '1'
        ? 'Un’e-mail di questa settimana non è stata consegnata.'
        : `${count} e-mail di questa settimana non sono state consegnate.`,
    look: 'Guardale',
    retention:
      'Il contenuto delle e-mail e chi ha prenotato restano per sempre, finché non stabilisci per quanto.',
    decide: 'Decidi',
    understood: 'Capito',
    unfinished: 'Qui non può ancora prenotare nessuno.',
    goOn: 'Continua con i primi passi',
  },
})

/** What somebody should know who opens the console: on the first page, and only while there is something. */
export function Notices() {
  const { me } = useSession()
  return (
    <div class="notices no-print">
      <FailedMails />
      {me.role === 'operator' && <Retention />}
      {me.role === 'administrator' && me.crm && <CrmRetention crm={me.crm} />}
    </div>
  )
}

/** On an empty day: whoever left the first steps half-way finds back to them. */
export function Unfinished() {
  const { data } = useResources()
  if (!data || data.resources.some(one => !one.archived)) return null
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

/** A booking whose mail went nowhere is one that somebody does not know of. */
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

/** Off until set: whoever runs the service shall have decided it, not missed it. */
function Retention() {
  const { data } = useLoad('operator', signal => api.get('/operator', { signal }))
  return data && data.retention.crmsWithout > 0 ? <KeptForEver /> : null
}

/** The same for whoever looks after one CRM. */
function CrmRetention({ crm }: { crm: string }) {
  const path = `/crms/${encodeURIComponent(crm)}/retention` as const
  const { data } = useLoad(`retention-${crm}`, signal => api.get(path, { signal }))
  if (!data) return null
  const { forAll, mailDays, customerMonths } = data
  const isSet = (mailDays ?? forAll.mailDays) !== null && (customerMonths ?? forAll.customerMonths) !== null
  return isSet ? null : <KeptForEver />
}

const seen = 'holdfast-console-retention-seen'

function KeptForEver() {
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
