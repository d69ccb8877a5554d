export const channelKeys = [
  'RESOURCE_PUBLIC',
  'RESOURCE_REFERENCE',
  'RESOURCE_EXCLUSIVE',
  'CALENDAR_PUBLIC',
] as const
export type ChannelKey = (typeof channelKeys)[number]
