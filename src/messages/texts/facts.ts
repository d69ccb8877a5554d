/** What a sentence can mention. Each value is a single line. */
export type Facts = { what: string; when: string; consumer: string; provider: string }

export type BookingTexts = {
  subject: (facts: Facts) => string
  heading: string
  lead: (facts: Facts) => string
}
