import { invalidField } from '../../errors.ts'

/** The four ways a Resource can be booked. Each Resource has all of them from the start. */
export const channelKeys = [
  'RESOURCE_PUBLIC',
  'RESOURCE_EXCLUSIVE',
  'RESOURCE_REFERENCE',
  'CALENDAR_PUBLIC',
] as const
export type ChannelKey = (typeof channelKeys)[number]

export const bookingProcesses = ['IMMEDIATE', 'REQUESTED'] as const
export type BookingProcess = (typeof bookingProcesses)[number]

export const isChannelKey = (value: unknown): value is ChannelKey => channelKeys.includes(value as ChannelKey)

/** Some widgets send the text `undefined` for a missing value. */
export function readChannelKey(text: string | null | undefined): ChannelKey {
  if (!text || text === 'undefined' || text === 'null') return 'RESOURCE_PUBLIC'
  if (!isChannelKey(text)) throw invalidField('channelKey', 'one-of', { choices: channelKeys })
  return text
}
