import type { Booking } from '../../db/booking/bookings.ts'
import { type Html, html } from '../../lib/html.ts'
import { decisionLink } from '../../links.ts'
import { whenOf } from '../../mail/when.ts'
import { toUtcText } from '../../rules/time.ts'
import type { Service } from '../../service.ts'

/** Who waits for an answer. The links are those of the mail to the contact: the page behind them asks once more. */
export function requestList(service: Service, requests: Booking[], isMore: boolean): Html {
  if (requests.length === 0) return html`<h2>Requests</h2><p>Nobody waits for an answer.</p>`
  const items = requests.map(request => {
    const { start_at, end_at, time_zone: timeZone } = request
    const when = whenOf({ start: toUtcText(start_at), end: toUtcText(end_at), timeZone }, 'en')
    const link = (answer: 'accept' | 'decline') => decisionLink(service, answer, request.participation_uuid)
    return html`<li><strong>${request.name ?? ''}</strong> · ${request.product_name}, ${request.resource_name}<br>
      <span class="soft">${when.lines[0]}, ${when.lines[1]} · ${when.zone}</span>
      ${request.note && html`<p class="typed">${request.note}</p>`}
      <div class="row"><a class="button" href="${link('accept')}">Accept</a> <a href="${link('decline')}">Decline</a></div></li>`
  })
  return html`<h2>Requests (${requests.length}${isMore && '+'})</h2><ul>${items}</ul>`
}
