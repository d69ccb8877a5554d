import { type CalendarEntry, calendarFile, googleLink, outlookLink } from '#shared/calendar-links.ts'
import type { Booked } from '../../state.ts'
import { useUi } from './kit.ts'

export function AddToCalendar({ booked }: { booked: Booked }) {
  const { texts } = useUi()
  const entry: CalendarEntry = {
    start: booked.start,
    end: booked.end,
    title: [booked.product, booked.provider].filter(Boolean).join(', '),
    place: booked.place ?? '',
    // Only the link for people: its query is for pages that embed a widget.
    details: `${texts.cancelBooking}${texts.colon} ${booked.cancelLink.split('?')[0]}`,
  }
  const outside = { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <section class="calendar" part="calendar" aria-label={texts.addToCalendar}>
      <h4>{texts.addToCalendar}</h4>
      <p class="row">
        <a class="quiet" href={`${booked.page}/appointment.ics`} download>
          {calendarFile}
        </a>
        <a class="quiet" href={googleLink(entry)} {...outside}>
          Google
        </a>
        <a class="quiet" href={outlookLink(entry)} {...outside}>
          Outlook
        </a>
      </p>
    </section>
  )
}
