// Pages of online calendars that add an appointment. Others open the file, as Apple's calendar does.

export type CalendarEntry = {
  start: number
  end: number
  title: string
  place: string
  details: string
}

const instantText = (instant: number) => new Date(instant).toISOString().replace('.000', '')
const compact = (instant: number) => instantText(instant).replace(/[-:]/g, '')

function googleLink({ start, end, title, place, details }: CalendarEntry): string {
  const dates = `${compact(start)}/${compact(end)}`
  const query = new URLSearchParams({ action: 'TEMPLATE', text: title, dates, location: place, details })
  return `https://calendar.google.com/calendar/render?${query}`
}

function outlookLink({ start, end, title, place, details }: CalendarEntry): string {
  const query = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: instantText(start),
    enddt: instantText(end),
    location: place,
    body: details,
  })
  return `https://outlook.live.com/calendar/0/deeplink/compose?${query}`
}

export const onlineCalendars = { google: googleLink, outlook: outlookLink }
