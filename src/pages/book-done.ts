import type { FastifyReply } from 'fastify'
import type { Created } from '../../web/widget/src/api.ts'
import { makeFormat } from '../../web/widget/src/format.ts'
import { texts as widgetTexts } from '../../web/widget/src/texts/index.ts'
import type { Language } from '../languages.ts'
import { bookPage, titleOf } from './book.ts'
import type { BookData } from './book-data.ts'
import { bookTexts } from './book-texts.ts'
import { html } from './html.ts'
import { sendPage } from './layout.ts'

/** The last page without JavaScript: booked, or asked for. */
export function sendDone(
  reply: FastifyReply,
  data: BookData,
  language: Language,
  created: Created,
  email: string,
) {
  const texts = widgetTexts[language]
  const format = makeFormat(language)
  const { timeZone } = data.place.provider
  const start = Date.parse(created.start)
  const isRequest = data.place.channel.bookingProcess === 'REQUESTED'
  const content = html`<h1>${data.place.provider.name}</h1><div class="stand-in">
<h2>${isRequest ? texts.requested : texts.confirmed}</h2>
<p>${isRequest ? texts.requestedHint(email) : texts.confirmedHint(email)}</p>
<p><strong>${format.fullDay(start, timeZone)}</strong><br>${format.time(start, timeZone)} – ${format.time(Date.parse(created.end), timeZone)}<br><span class="soft">${format.zone(timeZone, start)}</span></p>
<p>${created.product_name}<br>${created.resource_name}</p>
${data.place.resource.address && html`<p>${data.place.resource.address}</p>`}
<p><a href="${created.cancelLink}">${bookTexts[language].cancelLink}</a></p></div>`
  return sendPage(reply, 200, language, titleOf(data), content, bookPage(data))
}
