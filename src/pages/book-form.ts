import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  check,
  type FieldErrors,
  type FieldName,
  type Fields,
  fieldNames,
  limits,
  noFields,
} from '../../web/widget/src/fields.ts'
import { makeFormat } from '../../web/widget/src/format.ts'
import { texts as widgetTexts } from '../../web/widget/src/texts/index.ts'
import { limitRate } from '../http/limits.ts'
import type { Language } from '../languages.ts'
import type { Service } from '../service.ts'
import { type BookRequest, bookLanguage, bookPage, readBookQuery, sendNothing, titleOf } from './book.ts'
import { type BookData, loadBookData } from './book-data.ts'
import { sendDone } from './book-done.ts'
import { bookLink, standIn } from './book-slots.ts'
import { bookTexts } from './book-texts.ts'
import { consumerApi, type Reply } from './consumer-api.ts'
import { type Html, html } from './html.ts'
import { sendPage } from './layout.ts'

// The way through a booking without JavaScript: choose a slot, fill in the form, done. Each step is a form of its own.

type Chosen = {
  start: number
  end: number
  timeslot: string
  appointment: string
  product: string
  placeholder: string
}
type Page = { data: BookData; language: Language; reply: FastifyReply }

export async function reserveSlot(
  app: FastifyInstance,
  service: Service,
  request: BookRequest,
  reply: FastifyReply,
) {
  const page = await openPage(app, service, request, reply)
  if (!page) return reply
  const [start, end, timeslot = '', appointment = '', product = ''] = bodyText(request, 'slot').split(' ')
  const chosen = { start: Number(start), end: Number(end), timeslot, appointment, product, placeholder: '' }
  const ask = consumerApi(app, request)
  const { ref, query } = page.data
  const held = await ask(
    'POST',
    `/rest/1/resources/${encodeURIComponent(ref)}/reserve_appointment`,
    { channelKey: query.channelKey },
    {
      timeslot_uuid: timeslot,
      ...(appointment ? { appointment_uuid: appointment } : {}),
      product_uuid: product || (page.data.product?.uuid ?? ''),
      from: instant(chosen.start),
      to: instant(chosen.end),
    },
  )
  if (held.status !== 200) return sendRefused(page, held)
  const { participation } = held.body
  const own = {
    ...chosen,
    timeslot: participation.timeslot_uuid,
    product: participation.product_uuid,
    placeholder: participation.customer_uuid,
  }
  return sendForm(page, own, noFields, {}, Date.parse(participation.expiresAt))
}

export async function completeBooking(
  app: FastifyInstance,
  service: Service,
  request: BookRequest,
  reply: FastifyReply,
) {
  const page = await openPage(app, service, request, reply)
  if (!page) return reply
  const text = (name: string) => bodyText(request, name)
  const chosen: Chosen = {
    start: Number(text('start')),
    end: Number(text('end')),
    timeslot: text('timeslot'),
    appointment: '',
    product: text('productUuid'),
    placeholder: text('placeholder'),
  }
  const fields = Object.fromEntries(fieldNames.map(name => [name, text(name).trim()])) as Fields
  const errors = check(fields)
  if (Object.keys(errors).length > 0) return sendForm(page, chosen, fields, errors, null)
  const { ref, query } = page.data
  const done = await consumerApi(app, request)(
    'POST',
    `/resources/${encodeURIComponent(ref)}/create_appointment_with_consumer`,
    {},
    {
      start: instant(chosen.start),
      end: instant(chosen.end),
      timeslot_uuid: chosen.timeslot,
      product_uuid: chosen.product,
      placeholder_id: chosen.placeholder || undefined,
      firstname: fields.firstname,
      lastname: fields.lastname,
      email: fields.email,
      mobile: fields.mobile || undefined,
      message: fields.message || undefined,
      locale: page.language,
      channelKey: query.channelKey,
    },
  )
  if (done.status === 201)
    return sendDone(page.reply, page.data, page.language, done.body.createdAppointment, fields.email)
  const field = done.body?.errors?.[0]?.field as FieldName | undefined
  if (done.status === 400 && field && fieldNames.includes(field))
    return sendForm(
      page,
      chosen,
      fields,
      { [field]: field === 'email' ? 'invalidEmail' : 'invalidField' },
      null,
    )
  return sendRefused(page, done)
}

async function openPage(
  app: FastifyInstance,
  service: Service,
  request: BookRequest,
  reply: FastifyReply,
): Promise<Page | null> {
  await limitRate(service, request, 'book-page')
  const query = readBookQuery(request.query)
  const language = bookLanguage(service, request, query)
  const data = await loadBookData(consumerApi(app, request), request.params.ref, query)
  if (data) return { data, language, reply }
  sendNothing(reply, language)
  return null
}

function bodyText(request: BookRequest, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

const instant = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : '')

/** The list again, with what went wrong on top. */
function sendRefused({ data, language, reply }: Page, { status, body }: Reply) {
  const notice = html`<p class="bad" role="alert">${sentence(status, body?.errors?.[0]?.errorCode ?? '', language)}</p>`
  const content = html`<h1>${data.place.provider.name}</h1><div class="stand-in">${standIn(data, language, notice)}</div>`
  return sendPage(reply, status === 412 ? 409 : status, language, titleOf(data), content, bookPage(data))
}

function sentence(status: number, code: string, language: Language): string {
  const texts = widgetTexts[language]
  if (code === '202') return texts.twice
  if (code === 'not-invited') return texts.notInvited
  if (code === 'channel-hidden') return texts.hidden
  if (status === 429) return texts.busy
  return status === 412 || status === 404 ? texts.lost : texts.broken
}

function sendForm(page: Page, chosen: Chosen, fields: Fields, errors: FieldErrors, expiresAt: number | null) {
  const { data, language, reply } = page
  const texts = widgetTexts[language]
  const zone = data.place.provider.timeZone
  const format = makeFormat(language)
  const isRequest = data.place.channel.bookingProcess === 'REQUESTED'
  const hidden = {
    start: chosen.start,
    end: chosen.end,
    timeslot: chosen.timeslot,
    productUuid: chosen.product,
    placeholder: chosen.placeholder,
  }
  const content = html`<h1>${data.place.provider.name}</h1><div class="stand-in"><h2>${texts.yourDetails}</h2>
<p><strong>${format.fullDay(chosen.start, zone)}</strong><br>${format.time(chosen.start, zone)} – ${format.time(chosen.end, zone)}<br><span class="soft">${format.zone(zone, chosen.start)}</span></p>
${expiresAt && html`<p>${bookTexts[language].heldUntil(format.time(expiresAt, zone))}</p>`}
<form method="post" action="${bookLink(data, {}, '/complete')}" novalidate>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fieldNames.map(name => field(name, fields[name], errors[name], language))}
${isRequest && html`<p class="hint">${texts.needsConfirmation}</p>`}
<p class="row"><button>${isRequest ? texts.request : texts.book}</button> <a href="${bookLink(data, {})}">${texts.back}</a></p>
</form></div>`
  const status = Object.keys(errors).length > 0 ? 400 : 200
  return sendPage(reply, status, language, titleOf(data), content, bookPage(data))
}

const hints: Record<FieldName, [type: string, autocomplete: string]> = {
  firstname: ['text', 'given-name'],
  lastname: ['text', 'family-name'],
  email: ['email', 'email'],
  mobile: ['tel', 'tel'],
  message: ['text', 'off'],
}

function field(name: FieldName, value: string, error: FieldErrors[FieldName], language: Language): Html {
  const texts = widgetTexts[language]
  const [type, autocomplete] = hints[name]
  const isOptional = name === 'mobile' || name === 'message'
  const shared = html`id="${name}" name="${name}" maxlength="${limits[name]}" autocomplete="${autocomplete}"${!isOptional && html` required`}${error && html` aria-invalid="true" aria-describedby="${name}-error"`}`
  return html`<p><label for="${name}">${texts[name]}${isOptional && ` (${texts.optional})`}</label>${
    name === 'message'
      ? html`<textarea rows="3" ${shared}>${value}</textarea>`
      : html`<input type="${type}" value="${value}" ${shared}>`
  }${error && html`<span class="bad" id="${name}-error">${texts[error]}</span>`}</p>`
}
