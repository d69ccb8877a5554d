import type { BookingProcess } from './channels.ts'

/** Settings of a business that a channel of a Resource may have otherwise. */
export type BookingSettings = {
  customersOnly: boolean
  bookingProcess: BookingProcess
  minimumNoticeMinutes: number
  horizonDays: number | null
  showFull: boolean
  reminderHours: number
  changeNoticeMinutes: number
  /** Consumers may join the waiting list. */
  waitingList: boolean
  /** How many dates consumers may book at once; 0 for none. */
  seriesMax: number
  /** Agents with a key may book without the person's confirmation. */
  agentBooking: boolean
  /** How long a proposal of an agent is held for the person. */
  agentHoldMinutes: number
  /** Whether the booking form asks for a phone number. */
  phoneField: PhoneField
  /** Whether the booking form asks for a message. */
  askMessage: boolean
}

export const phoneFields = ['HIDDEN', 'OPTIONAL', 'REQUIRED'] as const
export type PhoneField = (typeof phoneFields)[number]

/** `questions`: keys. Products without a list of their own ask them. */
export type BusinessSettings = BookingSettings & { questions: string[] }

export type BookingSetting = keyof BookingSettings

/** Those of a business that has changed none. The columns of channels have the same defaults. */
export const usualSettings: BookingSettings = {
  customersOnly: false,
  bookingProcess: 'IMMEDIATE',
  minimumNoticeMinutes: 0,
  horizonDays: null,
  showFull: false,
  reminderHours: 24,
  changeNoticeMinutes: 0,
  waitingList: false,
  seriesMax: 0,
  agentBooking: false,
  agentHoldMinutes: 15,
  phoneField: 'OPTIONAL',
  askMessage: true,
}

export const bookingSettings = Object.keys(usualSettings) as BookingSetting[]
