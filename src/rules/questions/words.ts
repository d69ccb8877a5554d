import type { Language } from '../../languages.ts'
import { type Asked, type FormQuestion, isTick, type Problem } from './questions.ts'

// What is wrong with an answer, and when a question applies, in the visitor's language.

type Words = {
  missing: string
  tick: string
  invalid: string
  number: string
  date: string
  phone: string
  option: string
  min(limit: string): string
  max(limit: string): string
  maxLength(limit: string): string
  onlyIf(label: string, answer: string): string
  yes: string
  no: string
}

export const questionWords: Record<Language, Words> = {
  en: {
    missing: 'Please answer this question.',
    tick: 'Please tick this box.',
    invalid: 'This answer is not valid.',
    number: 'Enter a number.',
    date: 'Enter a date.',
    phone: 'Enter a phone number.',
    option: 'Choose one of the options.',
    min: limit => `The lowest possible value is ${limit}.`,
    max: limit => `The highest possible value is ${limit}.`,
    maxLength: limit => `Use no more than ${limit} characters.`,
    onlyIf: (label, answer) => `Only if “${label}” is “${answer}”`,
    yes: 'Yes',
    no: 'No',
  },
  de: {
    missing: 'Bitte beantworten Sie diese Frage.',
    tick: 'Bitte kreuzen Sie dieses Feld an.',
    invalid: 'Diese Antwort ist nicht gültig.',
    number: 'Geben Sie eine Zahl ein.',
    date: 'Geben Sie ein Datum ein.',
    phone: 'Geben Sie eine Telefonnummer ein.',
    option: 'Wählen Sie eine der Möglichkeiten.',
    min: limit => `Der kleinste mögliche Wert ist ${limit}.`,
    max: limit => `Der größte mögliche Wert ist ${limit}.`,
    maxLength: limit => `Höchstens ${limit} Zeichen.`,
    onlyIf: (label, answer) => `Nur bei „${label}“: „${answer}“`,
    yes: 'Ja',
    no: 'Nein',
  },
  fr: {
    missing: 'Répondez à cette question.',
    tick: 'Cochez cette case.',
    invalid: 'Cette réponse n’est pas valable.',
    number: 'Saisissez un nombre.',
    date: 'Saisissez une date.',
    phone: 'Saisissez un numéro de téléphone.',
    option: 'Choisissez l’une des options.',
    min: limit => `La valeur minimale est ${limit}.`,
    max: limit => `La valeur maximale est ${limit}.`,
    maxLength: limit => `${limit} caractères au maximum.`,
    onlyIf: (label, answer) => `Seulement si « ${label} » : « ${answer} »`,
    yes: 'Oui',
    no: 'Non',
  },
  es: {
    missing: 'Responda a esta pregunta.',
    tick: 'Marque esta casilla.',
    invalid: 'Esta respuesta no es válida.',
    number: 'Introduzca un número.',
    date: 'Introduzca una fecha.',
    phone: 'Introduzca un número de teléfono.',
    option: 'Elija una de las opciones.',
    min: limit => `El valor mínimo es ${limit}.`,
    max: limit => `El valor máximo es ${limit}.`,
    maxLength: limit => `Como máximo ${limit} caracteres.`,
    onlyIf: (label, answer) => `Solo si «${label}» es «${answer}»`,
    yes: 'Sí',
    no: 'No',
  },
  it: {
    missing: 'Risponda a questa domanda.',
    tick: 'Selezioni questa casella.',
    invalid: 'Questa risposta non è valida.',
    number: 'Inserisca un numero.',
    date: 'Inserisca una data.',
    phone: 'Inserisca un numero di telefono.',
    option: 'Scelga una delle opzioni.',
    min: limit => `Il valore minimo è ${limit}.`,
    max: limit => `Il valore massimo è ${limit}.`,
    maxLength: limit => `Al massimo ${limit} caratteri.`,
    onlyIf: (label, answer) => `Solo se «${label}» è «${answer}»`,
    yes: 'Sì',
    no: 'No',
  },
}

export function problemText(question: Asked, { problem, limit }: Problem, language: Language): string {
  const words = questionWords[language]
  if (problem === 'missing') return isTick(question) ? words.tick : words.missing
  const text = words[problem]
  return typeof text === 'string' ? text : text(String(limit))
}

/** Before what follows: "Reason: ", "Where does it hurt? ". */
export const leadOf = (label: string): string =>
  /[?!]$/.test(label) ? `${label} ` : `${label.replace(/[.:]$/, '')}: `

/** "Only if “Insurance” is “Private”", for forms that show every question. */
export function conditionText(form: FormQuestion[], { showIf }: Asked, language: Language): string | null {
  const asked = showIf && form.find(one => one.key === showIf.key)
  if (!asked) return null
  const words = questionWords[language]
  const { is } = showIf
  const option = asked.options.find(one => one.key === is)?.label
  const answer = option ?? (typeof is === 'boolean' ? words[is ? 'yes' : 'no'] : String(is))
  return words.onlyIf(asked.label, answer)
}
