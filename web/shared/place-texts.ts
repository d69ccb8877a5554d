import type { Language } from './texts/index.ts'

type PlaceTexts = {
  count: string
  /** More than one. */
  amount: (count: number) => string
  nameOf: (number: number) => string
  /** Without JavaScript: all of them in one field. */
  names: string
  missingName: string
  tooFew: string
  missingNames: (count: number) => string
}

/** Several places in one booking, on the booking page and in the widget. */
export const placeTexts: Record<Language, PlaceTexts> = {
  en: {
    count: 'Number of places',
    amount: count => `${count} places`,
    nameOf: number => `Name of person ${number}`,
    names: 'Names, one per line (for several places)',
    missingName: 'Enter a name.',
    tooFew: 'There aren’t enough places left. Choose fewer.',
    missingNames: count => `Enter ${count} names, one per line.`,
  },
  de: {
    count: 'Anzahl der Plätze',
    amount: count => `${count} Plätze`,
    nameOf: number => `Name der ${number}. Person`,
    names: 'Namen, einer pro Zeile (bei mehreren Plätzen)',
    missingName: 'Bitte geben Sie einen Namen ein.',
    tooFew: 'So viele Plätze sind nicht mehr frei. Bitte wählen Sie weniger.',
    missingNames: count => `Geben Sie ${count} Namen ein, einen pro Zeile.`,
  },
  fr: {
    count: 'Nombre de places',
    amount: count => `${count} places`,
    nameOf: number => `Nom de la personne ${number}`,
    names: 'Noms, un par ligne (pour plusieurs places)',
    missingName: 'Saisissez un nom.',
    tooFew: 'Il ne reste pas assez de places. Choisissez-en moins.',
    missingNames: count => `Saisissez ${count} noms, un par ligne.`,
  },
  es: {
    count: 'Número de plazas',
    amount: count => `${count} plazas`,
    nameOf: number => `Nombre de la persona ${number}`,
    names: 'Nombres, uno por línea (para varias plazas)',
    missingName: 'Introduzca un nombre.',
    tooFew: 'No quedan tantas plazas. Elija menos.',
    missingNames: count => `Introduzca ${count} nombres, uno por línea.`,
  },
  it: {
    count: 'Numero di posti',
    amount: count => `${count} posti`,
    nameOf: number => `Nome della persona ${number}`,
    names: 'Nomi, uno per riga (per più posti)',
    missingName: 'Inserisca un nome.',
    tooFew: 'Non ci sono abbastanza posti liberi. Ne scelga meno.',
    missingNames: count => `Inserisca ${count} nomi, uno per riga.`,
  },
}
