import type { Entry } from '../../records.ts'

export type HistoryLine = {
  kind: string
  at: string
  actorKind: 'key' | 'console' | 'consumer' | 'service'
  actorName: string | null
  person: string | null
}

export type MailLine = {
  uuid: string
  kind: string
  to: string | null
  state: 'queued' | 'sent' | 'failed' | 'kept'
  lastError: string | null
  createdAt: string
  sentAt: string | null
}

export type AppointmentPage = { timeZone: string; entry: Entry; history: HistoryLine[]; mails: MailLine[] }
