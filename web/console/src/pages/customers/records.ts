import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { locale } from '../../words.ts'

export type Found = Schemas['FoundCustomer']

export type HistoryLine = Schemas['CustomerHistoryLine']

export type Customer = Schemas['CustomerPage']

export function addressText(address: Customer['address']): string | null {
  if (!address) return null
  const { street, number, zip, city, countryCode } = address
  const lines = [[street, number], [zip, city], [countryCode]].map(line => line.filter(Boolean).join(' '))
  return lines.filter(Boolean).join(', ')
}

/** A birth date has no zone. */
export const birthDay = (date: string): string =>
  new Intl.DateTimeFormat(locale.tag, { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(`${date}T00:00Z`),
  )

/** The tags in use, the most frequent ones first. */
export function useTags(): string[] {
  const { uuid } = useProvider()
  const loaded = useLoad(`customer-tags-${uuid}`, signal =>
    api.get(`/providers/${uuid}/customer-tags`, { signal }),
  )
  return loaded.data?.tags ?? []
}
