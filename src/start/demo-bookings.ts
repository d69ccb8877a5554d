import { setAttendance } from '../actions/scheduling/appointments/attendance.ts'
import { createAppointment } from '../actions/scheduling/appointments/create-appointments.ts'
import { createParticipation } from '../actions/scheduling/appointments/participations.ts'
import { createCustomers } from '../actions/scheduling/customers/customers.ts'
import { createClosures } from '../actions/scheduling/hours/closures.ts'
import type { ProviderContext } from '../callers.ts'
import { nestedDb } from '../db/base/transactions.ts'
import { hasAppointments } from '../db/scheduling/appointments.ts'

// A week of bookings for the demo practice, with days counted from today.

const people = [
  ['ann', 'Ann Winter', '+49 171 2345601'],
  ['ben', 'Ben Sommer', '+49 171 2345602'],
  ['clara', 'Clara Lindqvist', '+46 70 1234603'],
  ['david', 'David Okafor', '+49 171 2345604'],
  ['elif', 'Elif Yılmaz', '+49 171 2345605'],
  ['franz', 'Franz Huber', '+43 660 1234606'],
  ['giulia', 'Giulia Rossi', '+39 333 1234607'],
  ['hanna', 'Hanna Köhler', '+49 171 2345608'],
] as const
type Who = (typeof people)[number][0]

type Visit = {
  day: number
  at: string
  to: string
  what: 'consultation' | 'check-up'
  who: Who[]
  state?: 'REQUESTED'
  notes?: string
  /** For past Appointments. */
  missed?: true
  isGroup?: true
}

const week: Visit[] = [
  { day: -2, at: '10:00', to: '10:30', what: 'consultation', who: ['ben'] },
  { day: -1, at: '09:30', to: '10:00', what: 'consultation', who: ['clara'] },
  { day: -1, at: '11:00', to: '12:00', what: 'check-up', who: ['franz'], missed: true },
  { day: 0, at: '09:00', to: '09:30', what: 'consultation', who: ['ann'], notes: 'First visit.' },
  { day: 0, at: '10:00', to: '11:00', what: 'check-up', who: ['david'] },
  { day: 0, at: '14:00', to: '14:30', what: 'consultation', who: ['elif'] },
  { day: 0, at: '15:30', to: '16:30', what: 'check-up', who: ['hanna'], notes: 'Needs the lift.' },
  { day: 1, at: '10:00', to: '10:30', what: 'consultation', who: ['giulia'] },
  { day: 1, at: '14:00', to: '15:00', what: 'check-up', who: ['ben'], state: 'REQUESTED' },
  { day: 1, at: '17:00', to: '18:00', what: 'consultation', who: ['ann', 'clara', 'david'], isGroup: true },
  { day: 2, at: '11:00', to: '12:00', what: 'check-up', who: ['elif'] },
  { day: 3, at: '13:30', to: '14:00', what: 'consultation', who: ['franz'] },
  { day: 4, at: '15:00', to: '16:00', what: 'check-up', who: ['ann'] },
]

/** Adds nothing if there are Appointments already. Uses one transaction to keep the start fast. */
export async function fillDemo({ service, actor, provider }: ProviderContext) {
  if (await hasAppointments(service.db, provider.id)) return
  await service.db.transaction(async tx => {
    const context = { service: { ...service, db: nestedDb(service.db, tx) }, actor, provider }
    await createCustomers(context, people.map(asCustomer))
    for (const visit of week) await makeVisit(context, visit)
    const day = (days: number) => Temporal.Now.plainDateISO(provider.timeZone).add({ days }).toString()
    const holiday = { from: day(9), to: day(11), reason: 'Company holiday' }
    await createClosures(context, { inputs: [holiday], resources: null })
  })
}

const asCustomer = ([key, name, mobile]: (typeof people)[number]) => ({
  reference: `${key}@demo`,
  name,
  email: `${key}@example.org`,
  mobile,
})

async function makeVisit(context: ProviderContext, { day, at, to, what, who, ...more }: Visit) {
  const date = Temporal.Now.plainDateISO(context.provider.timeZone).add({ days: day })
  const reference = `${date}-${at.replace(':', '')}-${who[0]}@demo`
  await createAppointment(context, {
    reference,
    start: `${date}T${at}`,
    end: `${date}T${to}`,
    resourceReference: more.isGroup ? 'group@demo' : 'room-1@demo',
    productReference: `${what}@demo`,
    capacity: more.isGroup ? 5 : 1,
    acceptBookings: more.isGroup ?? false,
    notes: more.notes ?? null,
  })
  for (const one of who) {
    const participation = `${one}-${reference}`
    const fields = {
      reference: participation,
      appointmentReference: reference,
      customerReference: `${one}@demo`,
      state: more.state ?? ('BOOKED' as const),
    }
    const flags = { ignoreCapacity: true, onDuplicateRaise: false, sendMails: false }
    await createParticipation(context, fields, flags)
    if (day < 0) await setAttendance(context, participation, more.missed ? 'MISSED' : 'ATTENDED')
  }
}
