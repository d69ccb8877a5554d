import { words } from '../../words.ts'

/** Texts that pages without the questions themselves need. */
export const briefTexts = words({
  en: {
    title: 'Questions',
    missing: 'Answers missing',
    yes: 'Yes',
    no: 'No',
    agreed: (when: string) => `Yes, ${when}`,
    download: 'Download CSV',
  },
  de: {
    title: 'Fragen',
    missing: 'Antworten fehlen',
    yes: 'Ja',
    no: 'Nein',
    agreed: when => `Ja, ${when}`,
    download: 'CSV herunterladen',
  },
  fr: {
    title: 'Questions',
    missing: 'Réponses manquantes',
    yes: 'Oui',
    no: 'Non',
    agreed: when => `Oui, ${when}`,
    download: 'Télécharger le CSV',
  },
  es: {
    title: 'Preguntas',
    missing: 'Faltan respuestas',
    yes: 'Sí',
    no: 'No',
    agreed: when => `Sí, ${when}`,
    download: 'Descargar CSV',
  },
  it: {
    title: 'Domande',
    missing: 'Mancano risposte',
    yes: 'Sì',
    no: 'No',
    agreed: when => `Sì, ${when}`,
    download: 'Scarica CSV',
  },
})
