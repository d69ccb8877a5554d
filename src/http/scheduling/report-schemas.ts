import Type from 'typebox'
import { periodLengths } from '../../rules/time/report-periods.ts'
import { Choice, Text, Uuid } from '../wire/fields.ts'
import { Nullable } from '../wire/wrapper.ts'

export const reportQuery = {
  from: { ...Text(10), description: 'First day, such as 2026-01-01, in the Provider’s time zone.' },
  to: { ...Text(10), description: 'Day after the last day, at most 400 days after `from`.' },
  by: Choice(periodLengths, {
    default: 'month',
    description:
      'Length of the periods. Weeks start on Monday. The first and the last period are cut at `from` and `to`.',
  }),
}

const count = (description: string) => Type.Integer({ description })
const minutes = (description: string) => Type.Integer({ description })

const counts = {
  bookings: count('Participations that are BOOKED.'),
  places: count('Places of these bookings.'),
  requests: count('Participations that are REQUESTED.'),
  cancellations: count('Participations that are CANCELED and had been BOOKED.'),
  lateCancellations: count('Cancellations less than 24 hours before the start, or after it.'),
  declined: count('Participations that are CANCELED and were never BOOKED: declined or withdrawn requests.'),
  attended: count('Bookings marked as ATTENDED.'),
  noShows: count('Bookings marked as MISSED.'),
  leadTime: Type.Object(
    {
      averageMinutes: Nullable(
        Type.Integer({ description: 'From the booking to the start, on average. Null without bookings.' }),
      ),
      underDay: count('Bookings made less than 24 hours before the start.'),
      underWeek: count('Bookings made 1 to 7 days before.'),
      underMonth: count('Bookings made 7 to 30 days before.'),
      longer: count('Bookings made 30 days before or earlier.'),
    },
    { title: 'LeadTime' },
  ),
}

const usage = {
  openMinutes: minutes('Bookable Timeslots without closures and blocks.'),
  bookedMinutes: minutes('Booked time within `openMinutes`.'),
  outsideMinutes: minutes('Booked time outside of them.'),
  utilisation: Nullable(
    Type.Number({ description: '`bookedMinutes` / `openMinutes`, from 0 to 1. Null if nothing was open.' }),
  ),
}

const customers = {
  customers: count('Customers with a booking.'),
  newCustomers: count('Those whose first booking with the Provider starts in this period.'),
  returningCustomers: count('All others.'),
}

const named = {
  uuid: Uuid,
  reference: Type.String(),
  name: Type.String(),
}

export const BookingReport = Type.Object(
  {
    timeZone: Type.String(),
    from: Type.String({ description: 'First day.' }),
    to: Type.String({ description: 'Day after the last day.' }),
    totals: Type.Object({ ...counts, ...usage, ...customers }, { title: 'ReportTotals' }),
    periods: Type.Array(
      Type.Object(
        {
          from: Type.String({ description: 'First day.' }),
          to: Type.String({ description: 'Day after the last day.' }),
          ...counts,
          ...usage,
          ...customers,
        },
        { title: 'ReportPeriod' },
      ),
    ),
    resources: Type.Array(Type.Object({ ...named, ...counts, ...usage }, { title: 'ReportResource' })),
    products: Type.Array(Type.Object({ ...named, ...counts }, { title: 'ReportProduct' })),
  },
  { title: 'BookingReport' },
)

export const AnswerReport = Type.Object(
  {
    questions: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          label: Type.Record(Type.String(), Type.String(), { description: 'Texts by language.' }),
          choices: Type.Array(
            Type.Object({
              key: Type.String({ description: 'Key of the option; `true` or `false` for a checkbox.' }),
              label: Nullable(
                Type.Record(Type.String(), Type.String(), {
                  description: 'Texts by language. Null for a checkbox.',
                }),
              ),
              count: count('Bookings with this answer.'),
            }),
          ),
        },
        { title: 'ReportQuestion' },
      ),
    ),
  },
  { title: 'AnswerReport' },
)

export const bookingText =
  'Bookings, cancellations, no-shows, utilisation of opening hours, lead time, and new and returning customers. An Appointment counts in the period in which it starts. `resources` and `products` are for the whole report. Deleted Appointments and Participations do not count.'
export const answerText =
  'How often each answer was given in bookings, for questions of the types choice, choices and checkbox. Deleted questions and options are included if they were answered.'
