import type { Language } from '../languages.ts'

type Texts = {
  /** Above the list of errors. */
  check: string
  title: string
  lead(provider: string): string
  button: string
  savedTitle: string
  saved: string
  nothingTitle: string
  nothing: string
  missing: string
}

/** The questions of a booking form, on pages without JavaScript. */
export const answersTexts: Record<Language, Texts> = {
  en: {
    check: 'Please check these answers:',
    title: 'A few questions about your appointment',
    lead: provider => `${provider} needs this information before your appointment.`,
    button: 'Save answers',
    savedTitle: 'Thank you',
    saved: 'Your answers have been saved.',
    nothingTitle: 'Nothing to answer',
    nothing: 'There are no questions about this appointment.',
    missing: 'A few answers are still missing.',
  },
  de: {
    check: 'Bitte prüfen Sie diese Angaben:',
    title: 'Einige Fragen zu Ihrem Termin',
    lead: provider => `${provider} braucht diese Angaben vor Ihrem Termin.`,
    button: 'Antworten speichern',
    savedTitle: 'Vielen Dank',
    saved: 'Ihre Antworten wurden gespeichert.',
    nothingTitle: 'Keine Fragen',
    nothing: 'Zu diesem Termin gibt es keine Fragen.',
    missing: 'Einige Antworten fehlen noch.',
  },
  fr: {
    check: 'Vérifiez ces réponses :',
    title: 'Quelques questions sur votre rendez-vous',
    lead: provider => `${provider} a besoin de ces informations avant votre rendez-vous.`,
    button: 'Enregistrer les réponses',
    savedTitle: 'Merci',
    saved: 'Vos réponses ont été enregistrées.',
    nothingTitle: 'Aucune question',
    nothing: 'Il n’y a pas de question sur ce rendez-vous.',
    missing: 'Il manque encore quelques réponses.',
  },
  es: {
    check: 'Compruebe estas respuestas:',
    title: 'Algunas preguntas sobre su cita',
    lead: provider => `${provider} necesita estos datos antes de su cita.`,
    button: 'Guardar respuestas',
    savedTitle: 'Gracias',
    saved: 'Sus respuestas se han guardado.',
    nothingTitle: 'No hay preguntas',
    nothing: 'No hay preguntas sobre esta cita.',
    missing: 'Aún faltan algunas respuestas.',
  },
  it: {
    check: 'Controlli queste risposte:',
    title: 'Alcune domande sul suo appuntamento',
    lead: provider => `${provider} ha bisogno di queste informazioni prima del suo appuntamento.`,
    button: 'Salva le risposte',
    savedTitle: 'Grazie',
    saved: 'Le sue risposte sono state salvate.',
    nothingTitle: 'Nessuna domanda',
    nothing: 'Non ci sono domande su questo appuntamento.',
    missing: 'Mancano ancora alcune risposte.',
  },
}
