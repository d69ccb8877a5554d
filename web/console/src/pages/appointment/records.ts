import type { Schemas } from '../../records.ts'

export type HistoryLine = Schemas['AppointmentHistoryLine']

export type MailLine = Schemas['AppointmentMail']

export type AppointmentPage = Schemas['AppointmentPage']
