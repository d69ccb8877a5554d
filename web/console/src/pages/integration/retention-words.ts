import { words } from '../../words.ts'

export const texts = words({
  en: {
    title: 'Retention',
    text: 'What is older is forgotten every night, and does not come back. Customers whom you made or accepted yourselves stay.',
    labels: {
      mailDays: 'What mails said, and to whom (days)',
      customerMonths: 'Customers who only booked by themselves (months after their last appointment)',
    },
    emptyDays: (days: number | null) =>
      days === null
        ? 'Empty: kept for ever.'
        : `Empty: ${days} days, as the operator has set it. A number of your own counts instead, longer ones too.`,
    emptyMonths: (months: number | null) =>
      months === null
        ? 'Empty: kept for ever.'
        : `Empty: ${months} months, as the operator has set it. A number of your own counts instead, longer ones too.`,
  },
  de: {
    title: 'Aufbewahrung',
    text: 'Was älter ist, wird jede Nacht vergessen und kommt nicht wieder. Kunden, die Sie selbst angelegt oder angenommen haben, bleiben.',
    labels: {
      mailDays: 'Was in Mails stand und an wen (Tage)',
      customerMonths: 'Kunden, die nur selbst gebucht haben (Monate nach dem letzten Termin)',
    },
    emptyDays: days =>
      days === null
        ? 'Leer: bleibt auf Dauer.'
        : `Leer: ${days} Tage, wie vom Betreiber gesetzt. Eine eigene Zahl gilt stattdessen, auch eine längere.`,
    emptyMonths: months =>
      months === null
        ? 'Leer: bleibt auf Dauer.'
        : `Leer: ${months} Monate, wie vom Betreiber gesetzt. Eine eigene Zahl gilt stattdessen, auch eine längere.`,
  },
  fr: {
    title: 'Conservation',
    text: 'Ce qui est plus ancien est oublié chaque nuit et ne revient pas. Les clients que vous avez créés ou acceptés vous-mêmes restent.',
    labels: {
      mailDays: 'Le contenu des e-mails et leurs destinataires (jours)',
      customerMonths: 'Les clients qui ont seulement réservé eux-mêmes (mois après leur dernier rendez-vous)',
    },
    emptyDays: days =>
      days === null
        ? 'Vide : conservé sans fin.'
        : `Vide : ${days} jours, selon l’exploitant. Votre propre nombre le remplace, même plus long.`,
    emptyMonths: months =>
      months === null
        ? 'Vide : conservé sans fin.'
        : `Vide : ${months} mois, selon l’exploitant. Votre propre nombre le remplace, même plus long.`,
  },
  es: {
    title: 'Conservación',
    text: 'Lo que es más antiguo se olvida cada noche y no vuelve. Los clientes que usted creó o aceptó permanecen.',
    labels: {
      mailDays: 'Lo que decían los correos y a quién (días)',
      customerMonths: 'Clientes que solo reservaron por sí mismos (meses tras su última cita)',
    },
    emptyDays: days =>
      days === null
        ? 'Vacío: se guarda sin fin.'
        : `Vacío: ${days} días, según el operador. Un número propio lo sustituye, aunque sea mayor.`,
    emptyMonths: months =>
      months === null
        ? 'Vacío: se guarda sin fin.'
        : `Vacío: ${months} meses, según el operador. Un número propio lo sustituye, aunque sea mayor.`,
  },
  it: {
    title: 'Conservazione',
    text: 'Ciò che è più vecchio viene dimenticato ogni notte e non torna. I clienti che avete creato o accettato voi restano.',
    labels: {
      mailDays: 'Il contenuto delle e-mail e i destinatari (giorni)',
      customerMonths: 'Clienti che hanno solo prenotato da sé (mesi dopo l’ultimo appuntamento)',
    },
    emptyDays: days =>
      days === null
        ? 'Vuoto: conservato senza fine.'
        : `Vuoto: ${days} giorni, come impostato dal gestore. Un numero vostro vale al suo posto, anche più lungo.`,
    emptyMonths: months =>
      months === null
        ? 'Vuoto: conservato senza fine.'
        : `Vuoto: ${months} mesi, come impostato dal gestore. Un numero vostro vale al suo posto, anche più lungo.`,
  },
})
