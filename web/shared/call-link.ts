// A place can be a call: the address of a meeting, perhaps among words, or a phone number alone.

const call = /(https?:\/\/\S*[^\s.,;)>"]|^[+\d ()./-]{7,}$)(.*)/s

/** The first call and the words around it; or the place alone. */
export const splitCall = (place: string) =>
  place.split(call) as [before: string, call?: string, after?: string]

export const phoneCall = (number: string) => `tel:${number.replace(/[^+\d]/g, '')}`

/** Only the address of a meeting has a colon. */
export const isMeeting = (call: string) => call.includes(':')
