import type { Texts } from './texts/index.ts'

export const fieldNames = ['firstname', 'lastname', 'email', 'mobile', 'message'] as const
export type FieldName = (typeof fieldNames)[number]
export type Fields = Record<FieldName, string>
type Missing = 'enterFirstname' | 'enterLastname' | 'enterEmail'
export type FieldErrors = Partial<
  Record<
    FieldName,
    keyof Texts &
      (
        | Missing
        | 'invalidEmail'
        | 'invalidMobile'
        | 'invalidField'
        | 'tooLong'
        | 'addressFinal'
        | 'alreadyBooked'
      )
  >
>

export const noFields: Fields = { firstname: '', lastname: '', email: '', mobile: '', message: '' }

export const limits: Record<FieldName, number> = {
  firstname: 255,
  lastname: 255,
  email: 254,
  mobile: 100,
  message: 1024,
}

export const isFieldName = (name: string | null): name is FieldName =>
  (fieldNames as readonly (string | null)[]).includes(name)

/** Rejects only what is clearly not an address. The service checks more closely. */
const looksLikeEmail = /^[^\s@<>,;".]+(\.[^\s@<>,;".]+)*@([^\s@<>,;".]+\.)+[^\s@<>,;".]+$/

const missing = {
  firstname: 'enterFirstname',
  lastname: 'enterLastname',
  email: 'enterEmail',
} as const

/** A missing number is asked for like a wrong one. */
export function check(fields: Fields, isPhoneRequired = false): FieldErrors {
  const errors: FieldErrors = {}
  for (const name of fieldNames) if (fields[name].length > limits[name]) errors[name] = 'tooLong'
  let name: keyof typeof missing
  for (name in missing) if (!fields[name].trim()) errors[name] = missing[name]
  if (!errors.email && !looksLikeEmail.test(fields.email.trim())) errors.email = 'invalidEmail'
  if (!errors.mobile && (fields.mobile.trim() || isPhoneRequired) && !isNumber(fields.mobile))
    errors.mobile = 'invalidMobile'
  return errors
}

/** Digits in any common notation; they do not identify a country. */
const isNumber = (text: string) => /^[+\d\s()./-]+$/.test(text) && /^\d{6,15}$/.test(text.replace(/\D/g, ''))
