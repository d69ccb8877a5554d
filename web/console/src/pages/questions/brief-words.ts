import { words } from '../../words.ts'

/** Texts that pages without the questions themselves need. */
export const briefTexts = words({
  en: {
    missing: 'Answers missing',
    agreed: (when: string) => `Yes, ${when}`,
    download: 'Download CSV',
  },
  de: {
    missing: 'Antworten fehlen',
    agreed: when => `Ja, ${when}`,
    download: 'CSV herunterladen',
  },
  fr: {
    missing: 'Réponses manquantes',
    agreed: when => `Oui, ${when}`,
    download: 'Télécharger le CSV',
  },
  es: {
    missing: 'Faltan respuestas',
    agreed: when => `Sí, ${when}`,
    download: 'Descargar CSV',
  },
  it: {
    missing: 'Mancano risposte',
    agreed: when => `Sì, ${when}`,
    download: 'Scarica CSV',
  },
})
