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
