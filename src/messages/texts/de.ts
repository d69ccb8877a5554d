import type { Texts } from './shape.ts'

export const de: Texts = {
  locale: 'de-DE',
  time: clock => `${clock} Uhr`,
  timeRange: (from, to) => `${from} – ${to} Uhr`,
  colon: ':',
  greeting: name => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  closing: 'Freundliche Grüße',
  ignore: 'Das waren nicht Sie? Dann können Sie diese E-Mail ignorieren.',
  unnamedCustomer: 'Ein Kunde ohne Namensangabe',
  verification: {
    subject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
    lead: 'bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört.',
    button: 'E-Mail-Adresse bestätigen',
  },
  login: {
    subject: 'Ihr Anmeldelink',
    lead: 'mit diesem Link melden Sie sich in der Konsole an. Er ist 15 Minuten gültig und funktioniert nur einmal.',
    button: 'Anmelden',
  },
  factorReset: {
    subject: 'Ihre Zwei-Faktor-Authentifizierung wurde zurückgesetzt',
    lead: 'ein Betreiber hat die Zwei-Faktor-Authentifizierung für Ihren Zugang ausgeschaltet. Sie melden sich jetzt ohne Code an. Bitte richten Sie sie unter „Mein Zugang“ neu ein.',
    button: 'Konsole öffnen',
    ignore: 'Unerwartet? Dann wenden Sie sich bitte sofort an den Betreiber dieses Dienstes.',
  },
  invitation: {
    subject: 'Ihr Zugang zur Konsole',
    lead: place =>
      place
        ? `Sie können die Termine von ${place} jetzt in der Konsole verwalten.`
        : 'Sie können sich ab jetzt in der Konsole anmelden.',
    button: 'Konsole öffnen',
    validity:
      'Der Link ist 24 Stunden gültig und funktioniert nur einmal. Danach können Sie auf der Anmeldeseite einen neuen anfordern.',
  },
  webhookDisabled: {
    subject: crm => `Webhook ausgeschaltet: ${crm}`,
    gone: 'der Empfänger nimmt diesen Webhook nicht mehr an (Status 410). Wir haben ihn daher ausgeschaltet.',
    failing:
      'der Empfänger hat seit fünf Tagen keine Ereignisse angenommen. Wir haben den Webhook daher ausgeschaltet.',
    howToResume:
      'Es geht nichts verloren. Schalten Sie den Webhook wieder ein, sobald der Empfänger funktioniert. Er macht dort weiter, wo er stehen geblieben ist.',
    address: 'Adresse',
  },
  calendarStale: {
    subject: resource => `Kalender nicht lesbar: ${resource}`,
    lead: hours =>
      `dieser externe Kalender ist seit ${hours === 1 ? 'einer Stunde' : `${hours} Stunden`} nicht lesbar.`,
    open: 'Kunden können weiterhin buchen. Es gelten die zuletzt gelesenen belegten Zeiten.',
    closed: 'Bis er wieder lesbar ist, können Kunden nicht buchen.',
    whatToDo: 'Bitte prüfen Sie Adresse und Passwort in der Konsole unter Leistungen, Kalender.',
    calendar: 'Kalender',
  },
  mails: {
    booked: {
      subject: ({ when, what }) => `Termin bestätigt: ${when} – ${what}`,
      heading: 'Ihr Termin ist gebucht',
      lead: ({ provider }) => `Ihr Termin bei ${provider} ist bestätigt.`,
    },
    'booking-notice': {
      subject: ({ when, what, consumer }) => `Neue Buchung: ${when} – ${what}, ${consumer}`,
      heading: 'Neue Buchung',
      lead: ({ consumer }) => `${consumer} hat einen Termin gebucht.`,
    },
    requested: {
      subject: ({ when, what }) => `Terminanfrage eingegangen: ${when} – ${what}`,
      heading: 'Ihre Anfrage ist eingegangen',
      lead: ({ provider }) =>
        `vielen Dank für Ihre Anfrage. ${provider} prüft sie und gibt Ihnen per E-Mail Bescheid. ` +
        'Der Termin ist erst mit der Bestätigung verbindlich.',
    },
    'request-notice': {
      subject: ({ when, what, consumer }) => `Terminanfrage, bitte antworten: ${when} – ${what}, ${consumer}`,
      heading: 'Neue Terminanfrage',
      lead: ({ consumer }) => `${consumer} bittet um einen Termin und wartet auf Ihre Antwort.`,
    },
    declined: {
      subject: ({ when, what }) => `Terminanfrage nicht bestätigt: ${when} – ${what}`,
      heading: 'Ihre Anfrage wurde nicht bestätigt',
      lead: ({ provider }) =>
        `der angefragte Termin bei ${provider} kommt nicht zustande. Wir haben die Zeit wieder freigegeben.`,
    },
    cancelled: {
      subject: ({ when, what }) => `Termin abgesagt: ${when} – ${what}`,
      heading: 'Ihr Termin wurde abgesagt',
      lead: ({ provider }) => `Ihr Termin bei ${provider} wurde abgesagt. Sie müssen nichts weiter tun.`,
    },
    'cancel-notice': {
      subject: ({ when, what, consumer }) => `Absage: ${when} – ${what}, ${consumer}`,
      heading: 'Ein Termin wurde abgesagt',
      lead: ({ consumer }) => `${consumer} hat den folgenden Termin abgesagt.`,
    },
    moved: {
      subject: ({ when, what }) => `Termin verlegt: ${when} – ${what}`,
      heading: 'Ihr Termin wurde verlegt',
      lead: ({ provider }) => `Ihr Termin bei ${provider} findet zu einer neuen Zeit statt.`,
    },
    'move-notice': {
      subject: ({ when, what, consumer }) => `Termin verlegt: ${when} – ${what}, ${consumer}`,
      heading: 'Ein Termin wurde verlegt',
      lead: ({ consumer }) => `${consumer} hat den folgenden Termin verlegt.`,
    },
    changed: {
      subject: ({ when, what }) => `Buchung geändert: ${when} – ${what}`,
      heading: 'Ihre Buchung wurde geändert',
      lead: ({ provider }) => `Ihre Buchung bei ${provider} wurde geändert. Hier sind die aktuellen Angaben.`,
    },
    'change-notice': {
      subject: ({ when, what, consumer }) => `Buchung geändert: ${when} – ${what}, ${consumer}`,
      heading: 'Eine Buchung wurde geändert',
      lead: ({ consumer }) => `${consumer} hat die folgende Buchung geändert.`,
    },
    message: {
      subject: ({ when, what }) => `Zu Ihrem Termin: ${when} – ${what}`,
      heading: 'Eine Nachricht zu Ihrem Termin',
      lead: ({ provider }) => `${provider} hat Ihnen eine Nachricht zu diesem Termin geschickt.`,
    },
    reminder: {
      subject: ({ when, what }) => `Erinnerung: Ihr Termin, ${when} – ${what}`,
      heading: 'Ihr Termin steht bevor',
      lead: ({ provider }) => `wir erinnern Sie an Ihren Termin bei ${provider}.`,
    },
  },
  withdrawn: {
    subject: ({ when, what }) => `Anfrage zurückgezogen: ${when} – ${what}`,
    heading: 'Ihre Anfrage wurde zurückgezogen',
    lead: ({ provider }) =>
      `Sie haben Ihre Anfrage zurückgezogen (${provider}). Wir haben die Zeit wieder freigegeben.`,
  },
  currentBooking: {
    until: 'Bis dahin bleibt Ihr bisheriger Termin bestehen.',
    still: 'Ihr bisheriger Termin bleibt bestehen.',
  },
  labels: {
    when: 'Wann',
    previous: 'Bisher',
    current: 'Derzeit',
    kept: 'Es bleibt bei',
    appointment: 'Termin',
    places: 'Plätze',
    place: 'Ort',
    joinOnline: 'Online teilnehmen',
    price: 'Preis',
    contact: 'Kontakt',
    name: 'Name',
    email: 'E-Mail',
    mobile: 'Mobil',
    hints: 'Hinweise',
    messageFrom: name => `Nachricht von ${name}`,
    reason: 'Grund der Absage',
    details: 'Ihre Angaben',
    answers: 'Noch offen',
  },
  channels: {
    mobile: 'Mobil',
    phone: 'Telefon',
    email: 'E-Mail',
    video: 'Video',
    messenger: 'Messenger',
    link: 'Link',
    location: 'Ort',
  },
  buttons: {
    calendar: 'Zum Kalender hinzufügen',
    again: 'Erneut buchen',
    answers: 'Fragen beantworten',
    details: 'Angaben prüfen',
    move: 'Termin verlegen',
    cancel: 'Termin absagen',
    withdraw: 'Anfrage zurückziehen',
    accept: 'Annehmen',
    decline: 'Ablehnen',
    my: 'Alle meine Buchungen',
  },
  hints: {
    answers: 'Vor Ihrem Termin brauchen wir noch einige Antworten von Ihnen.',
    details:
      'Mit dieser Buchung kam ein Name oder eine Nummer zu Ihrem Konto hinzu. Die Angaben bleiben verborgen, bis Sie sie bestätigen.',
    change: 'Etwas dazwischengekommen? Dann verlegen Sie den Termin bitte rechtzeitig oder sagen Sie ihn ab.',
    until: when => `Online geht das bis ${when}.`,
    withdraw: 'Sie brauchen den Termin nicht mehr? Dann ziehen Sie Ihre Anfrage bitte zurück.',
    keep: 'Soll es doch beim bisherigen Termin bleiben? Dann ziehen Sie Ihre Anfrage bitte zurück.',
    answer: 'Beide Schaltflächen führen zu einer Seite, auf der Sie Ihre Entscheidung bestätigen.',
  },
  reasonForEmail: {
    consumer: 'Sie erhalten diese E-Mail, weil mit dieser Adresse ein Termin gebucht oder angefragt wurde.',
    provider: provider => `Sie erhalten diese E-Mail als Kontakt von ${provider}.`,
    user: 'Sie erhalten diese E-Mail, weil diese Adresse zu einem Konto gehört.',
  },
}
