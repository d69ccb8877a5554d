import type { Fault } from './api.ts'
import { words } from './words.ts'

// The service tells what is wrong in English and by the names of its fields. At a field people read it in their own language,
// without a name: it stands below it. What is not known here is shown as the service says it.

const texts = words({
  en: {
    missing: 'Please fill this in.',
    least: (limit: string) => `At least ${limit}.`,
    most: (limit: string) => `At most ${limit}.`,
    short: (limit: string) => `At least ${limit} characters.`,
    long: (limit: string) => `At most ${limit} characters.`,
    entry: 'Choose at least one.',
    email: 'An email address such as ann@example.org.',
    https: 'An address that begins with https://.',
    address: 'An address that begins with http:// or https://.',
    whole: 'A whole number.',
  },
  de: {
    missing: 'Bitte ausfüllen.',
    least: (limit: string) => `Mindestens ${limit}.`,
    most: (limit: string) => `Höchstens ${limit}.`,
    short: (limit: string) => `Mindestens ${limit} Zeichen.`,
    long: (limit: string) => `Höchstens ${limit} Zeichen.`,
    entry: 'Wählen Sie mindestens eines.',
    email: 'Eine E-Mail-Adresse wie ann@example.org.',
    https: 'Eine Adresse, die mit https:// beginnt.',
    address: 'Eine Adresse, die mit http:// oder https:// beginnt.',
    whole: 'Eine ganze Zahl.',
  },
  fr: {
    missing: 'À remplir.',
    least: (limit: string) => `Au moins ${limit}.`,
    most: (limit: string) => `Au plus ${limit}.`,
    short: (limit: string) => `Au moins ${limit} caractères.`,
    long: (limit: string) => `Au plus ${limit} caractères.`,
    entry: 'Choisissez-en au moins un.',
    email: 'Une adresse e-mail comme ann@example.org.',
    https: 'Une adresse qui commence par https://.',
    address: 'Une adresse qui commence par http:// ou https://.',
    whole: 'Un nombre entier.',
  },
  es: {
    missing: 'Rellene este campo.',
    least: (limit: string) => `Al menos ${limit}.`,
    most: (limit: string) => `Como máximo ${limit}.`,
    short: (limit: string) => `Al menos ${limit} caracteres.`,
    long: (limit: string) => `Como máximo ${limit} caracteres.`,
    entry: 'Elija al menos uno.',
    email: 'Una dirección de correo como ann@example.org.',
    https: 'Una dirección que empieza por https://.',
    address: 'Una dirección que empieza por http:// o https://.',
    whole: 'Un número entero.',
  },
  it: {
    missing: 'Da compilare.',
    least: (limit: string) => `Almeno ${limit}.`,
    most: (limit: string) => `Al massimo ${limit}.`,
    short: (limit: string) => `Almeno ${limit} caratteri.`,
    long: (limit: string) => `Al massimo ${limit} caratteri.`,
    entry: 'Scegline almeno uno.',
    email: 'Un indirizzo e-mail come ann@example.org.',
    https: 'Un indirizzo che inizia con https://.',
    address: 'Un indirizzo che inizia con http:// o https://.',
    whole: 'Un numero intero.',
  },
})

const known: [RegExp, (limit: string) => string][] = [
  [/ must be at least (\d+)\.$/, texts.least],
  [/ must be at most (\d+)\.$/, texts.most],
  [/ must have at least (\d+) characters?\.$/, texts.short],
  [/ must not be longer than (\d+) characters\.$/, texts.long],
  [/ must have at least 1 entry\.$/, () => texts.entry],
  [/ must be an email address /, () => texts.email],
  [/ must be an address that begins with https:\/\/\.$/, () => texts.https],
  [/ must be an address that begins with http:\/\/ or https:\/\/\.$/, () => texts.address],
  [/ must be a whole number\.$/, () => texts.whole],
]

export function faultSentence({ errorCode, message }: Fault): string {
  if (errorCode === 'missing-field') return texts.missing
  for (const [pattern, sentence] of known) {
    const [whole, limit = ''] = pattern.exec(message) ?? []
    if (whole !== undefined) return sentence(limit)
  }
  return message
}
