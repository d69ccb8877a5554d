import { useProvider } from '../../session.ts'
import { MailServerNote } from '../../ui/MailServerNote.tsx'
import { words } from '../../words.ts'

const texts = words({
  en: {
    text: 'Customers can’t join the waiting list themselves, and offers aren’t emailed. The link to each offer is under Emails, so that you can pass it on.',
  },
  de: {
    text: 'Kunden können sich nicht selbst auf die Warteliste setzen, und Angebote werden nicht verschickt. Den Link jedes Angebots finden Sie unter E-Mails und können ihn weitergeben.',
  },
  fr: {
    text: 'Les clients ne peuvent pas s’inscrire eux-mêmes sur la liste d’attente, et les propositions ne sont pas envoyées. Le lien de chaque proposition se trouve sous E-mails, pour le transmettre.',
  },
  es: {
    text: 'Los clientes no pueden apuntarse a la lista de espera y las ofertas no se envían. El enlace de cada oferta está en Correos, para que usted lo comparta.',
  },
  it: {
    text: 'I clienti non possono iscriversi alla lista d’attesa e le offerte non vengono inviate. Il link di ogni offerta è in E-mail, per inoltrarlo.',
  },
})

/** The emails of the demo are read in its console. */
export const WaitingListNote = () => (useProvider().isDemo ? null : <MailServerNote text={texts.text} />)
