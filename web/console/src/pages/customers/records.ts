import type { PersonState } from '../../records.ts'

export type Found = {
  uuid: string
  reference: string
  name: string
  email: string | null
  mobile: string | null
  language: string | null
}

export type HistoryLine = {
  participationUuid: string
  appointmentUuid: string
  start: string
  end: string
  state: PersonState
  attendance?: 'ATTENDED' | 'MISSED' | null
  productName: string
  resourceName: string
  note: string | null
}

export type Customer = Found & { note: string | null; provider: string; history: HistoryLine[] }
