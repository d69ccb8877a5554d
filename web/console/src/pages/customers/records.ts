import type { Schemas } from '../../records.ts'

export type Found = Schemas['FoundCustomer']

export type HistoryLine = Schemas['CustomerHistoryLine']

export type Customer = Schemas['CustomerPage']
