import type { Fault } from './api.ts'
import { refusals } from './refusals.ts'
import { locale, words } from './words.ts'

// The API names the rule that a field breaks. Below the field, people read a sentence in their own language
// without the field's name.

const texts = words({
  en: {
    check: 'Check this entry.',
    after: 'Must be after the start.',
    missing: 'This field is required.',
    least: (limit: string) => `At least ${limit}.`,
    most: (limit: string) => `At most ${limit}.`,
    short: (limit: string) => `At least ${limit} characters.`,
    long: (limit: string) => `At most ${limit} characters.`,
    entry: 'Choose at least one.',
    email: 'Enter an email address such as ann@example.org.',
    https: 'Must start with https://.',
    address: 'Must start with http:// or https://.',
    whole: 'Enter a whole number.',
  },
  de: {
    check: 'Bitte prüfen Sie diese Angabe.',
    after: 'Muss nach dem Beginn liegen.',
    missing: 'Dieses Feld muss ausgefüllt werden.',
    least: (limit: string) => `Mindestens ${limit}.`,
    most: (limit: string) => `Höchstens ${limit}.`,
    short: (limit: string) => `Mindestens ${limit} Zeichen.`,
    long: (limit: string) => `Höchstens ${limit} Zeichen.`,
    entry: 'Wählen Sie mindestens einen Eintrag.',
    email: 'Geben Sie eine E-Mail-Adresse wie ann@example.org ein.',
    https: 'Muss mit https:// beginnen.',
    address: 'Muss mit http:// oder https:// beginnen.',
    whole: 'Geben Sie eine ganze Zahl ein.',
  },
  fr: {
    check: 'Vérifiez cette saisie.',
    after: 'Doit être après le début.',
    missing: 'Ce champ est obligatoire.',
    least: (limit: string) => `Au moins ${limit}.`,
    most: (limit: string) => `Au plus ${limit}.`,
    short: (limit: string) => `Au moins ${limit} caractères.`,
    long: (limit: string) => `Au plus ${limit} caractères.`,
    entry: 'Choisissez au moins un élément.',
    email: 'Saisissez une adresse e-mail comme ann@example.org.',
    https: 'Doit commencer par https://.',
    address: 'Doit commencer par http:// ou https://.',
    whole: 'Saisissez un nombre entier.',
  },
  es: {
    check: 'Revise este dato.',
    after: 'Debe ser posterior al inicio.',
    missing: 'Este campo es obligatorio.',
    least: (limit: string) => `Al menos ${limit}.`,
    most: (limit: string) => `Como máximo ${limit}.`,
    short: (limit: string) => `Al menos ${limit} caracteres.`,
    long: (limit: string) => `Como máximo ${limit} caracteres.`,
    entry: 'Elija al menos un elemento.',
    email: 'Escriba un correo como ann@example.org.',
    https: 'Debe empezar por https://.',
    address: 'Debe empezar por http:// o https://.',
    whole: 'Escriba un número entero.',
  },
  it: {
    check: 'Controlli questo dato.',
    after: 'Deve essere dopo l’inizio.',
    missing: 'Questo campo è obbligatorio.',
    least: (limit: string) => `Almeno ${limit}.`,
    most: (limit: string) => `Al massimo ${limit}.`,
    short: (limit: string) => `Almeno ${limit} caratteri.`,
    long: (limit: string) => `Al massimo ${limit} caratteri.`,
    entry: 'Scelga almeno un elemento.',
    email: 'Inserisca un indirizzo e-mail come ann@example.org.',
    https: 'Deve iniziare con https://.',
    address: 'Deve iniziare con http:// o https://.',
    whole: 'Inserisca un numero intero.',
  },
})

const sentences: Record<string, (limit: string) => string> = {
  min: texts.least,
  max: texts.most,
  minLength: texts.short,
  maxLength: texts.long,
  minItems: () => texts.entry,
  email: () => texts.email,
  'https-address': () => texts.https,
  'web-address': () => texts.address,
  'whole-number': () => texts.whole,
  'after-start': () => texts.after,
}

export function fieldErrorText({ errorCode, message, rule = '', limit }: Fault): string {
  if (errorCode === 'missing-field') return texts.missing
  const sentence = sentences[rule]
  if (sentence) return sentence(String(limit ?? ''))
  // The API's own message says more, but only in English.
  return refusals[errorCode] ?? (locale.language === 'en' ? message : texts.check)
}
