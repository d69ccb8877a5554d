// What texts of emails may refer to. The console checks them while one types.

/** In a text they stand in braces, such as {customer}. */
export const placeholders = {
  customer: 'Name of the customer.',
  service: 'Name of the service.',
  person: 'Name of the person or room.',
  date: 'Day of the appointment, in words.',
  time: 'Start of the appointment.',
  place: 'Address of the appointment.',
  business: 'Name of the business.',
} as const
export type Placeholder = keyof typeof placeholders

export const maxEmailText = 2000

const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(placeholders, name)
const marks = /( ?)\{ *([^{}\n]{1,40}?) *\}/g

export const unknownPlaceholder = (text: string): string | null =>
  Array.from(text.matchAll(marks), match => match[2]!).find(name => !isPlaceholder(name)) ?? null

/**
 * In one pass, so a value that looks like a placeholder stays as it is. An empty value takes the space before
 * it along.
 */
export const fillPlaceholders = (text: string, values: Record<Placeholder, string>): string =>
  text.replace(marks, (written, space: string, name: string) => {
    if (!isPlaceholder(name)) return written
    return values[name] && `${space}${values[name]}`
  })
