import type { Schemas } from '../../records.ts'

export type Found = Schemas['FoundCustomer']

export type HistoryLine = Schemas['CustomerHistoryLine']

export type Customer = Schemas['CustomerPage']

export function addressText(address: Customer['address']): string | null {
  if (!address) return null
  const { street, number, zip, city, countryCode } = address
  const lines = [[street, number], [zip, city], [countryCode]].map(line => line.filter(Boolean).join(' '))
  return lines.filter(Boolean).join(', ')
}
