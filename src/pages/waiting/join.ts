import type { FastifyInstance, FastifyReply } from 'fastify'
import { isDay } from '../../../web/shared/dates.ts'
import { noEmails } from '../../../web/shared/email-texts.ts'
import {
  check,
  type FieldErrors,
  type FieldName,
  type Fields,
  fieldNames,
  noFields,
} from '../../../web/shared/fields.ts'
import type { Slot } from '../../../web/shared/slots.ts'
import { dayAt } from '../../../web/shared/zones.ts'
import { readWish, type WishInput } from '../../actions/scheduling/waiting/entries.ts'
import { Refusal } from '../../errors.ts'
import { consumerApi } from '../../http/wire/consumer-api.ts'
import { clockNow } from '../../lib/clock.ts'
import { type Html, html } from '../../lib/html.ts'
import { asFreeSlot, matches } from '../../rules/waiting/wish.ts'
import type { Service } from '../../service.ts'
import { placeOf, zoneOf } from '../book/data.ts'
import { contactFields, dataNotice, needsPhone } from '../book/form.ts'
import { type BookPage, type BookRequest, openPage, sendBookPage } from '../book/open-page.ts'
import { bookingInfo, bookLink, productLinks } from '../book/slots.ts'
import { waitingPageTexts } from './texts.ts'
import { formText, readWishForm, wishFields } from './wish-form.ts'

type Body = Record<string, unknown> | undefined
type ErrorBody = { errors?: { errorCode: string; field?: string }[] }

/** `/book/{ref}/waiting`: joins the waiting list, without JavaScript. */
export function addJoinPage(app: FastifyInstance, service: Service) {
  app.get('/book/:ref/waiting', async (request: BookRequest, reply) => {
    const page = await open(service, request, reply)
    return page ? sendForm(page, 200, firstWish(page), noFields, {}) : reply
  })

  app.post('/book/:ref/waiting', async (request: BookRequest, reply) => {
    const page = await open(service, request, reply)
    if (!page) return reply
    const body = request.body as Body
    const wish = readWishForm(body)
    const fields = Object.fromEntries(
      fieldNames.map(name => [name, formText(body, name).replaceAll('\r\n', '\n')]),
    ) as Fields
    const errors = check(fields, needsPhone(page.data))
    if (Object.keys(errors).length > 0) return sendForm(page, 400, wish, fields, errors)
    // What can be booked at once would be offered to them, time after time.
    const free = formText(body, 'anyway') === '' ? freeIn(page, wish) : []
    if (free.length > 0) return sendForm(page, 200, wish, fields, {}, freeNotice(page, free))
    const { status, body: answer } = await join(app, request, page, wish, fields)
    if (status === 201) return sendDone(page, fields.email)
    const field = answer.errors?.[0]?.field as FieldName
    const { texts } = page.words
    if (fieldNames.includes(field))
      return sendForm(page, status, wish, fields, {
        [field]: field === 'email' ? 'invalidEmail' : 'invalidField',
      })
    if (status === 403) return sendClosed(page)
    const text =
      status === 400
        ? waitingPageTexts[page.words.language].wrongPeriod
        : texts[status === 429 ? 'tooMany' : 'serverError']
    return sendForm(
      page,
      status,
      wish,
      fields,
      {},
      html`<p class="bad" role="alert"><strong>${text}</strong></p>`,
    )
  })
}

/** Null if there is no such Resource or no waiting list; the page has then been sent. */
async function open(service: Service, request: BookRequest, reply: FastifyReply) {
  const page = await openPage(service, request, reply)
  if (!page) return null
  const { place, product } = page.data
  const isOpen = place.channel.waitingList !== null && place.channel.visible
  if (isOpen && product) return page
  if (isOpen && page.data.products.length > 1) sendProducts(page)
  else sendClosed(page)
  return null
}

/** First what, then when. */
function sendProducts(page: BookPage) {
  const { data, words } = page
  const linkTo = (product: string, name: Html) =>
    html`<a href="${bookLink(data, { product }, '/waiting')}">${name}</a>`
  const { joinTitle } = waitingPageTexts[words.language]
  const content = html`<div class="stand-in">${bookingInfo(data, words, false)}<h2>${joinTitle}</h2>${productLinks(data, words, linkTo)}</div>`
  return sendBookPage(page, 200, content, { title: joinTitle })
}

function sendClosed(page: BookPage) {
  const texts = waitingPageTexts[page.words.language]
  const content = html`<div class="stand-in"><h2>${texts.closedTitle}</h2><p>${texts.closed}</p>
<p><a class="button" href="${bookLink(page.data, {})}">${texts.seeTimes}</a></p></div>`
  return sendBookPage(page, 404, content, { title: texts.closedTitle })
}

function sendDone(page: BookPage, email: string) {
  const texts = waitingPageTexts[page.words.language]
  const isDemo = page.data.place.provider.emails === 'demo'
  const title = isDemo ? texts.oneMoreStep : texts.checkInboxTitle
  const text = isDemo ? texts.confirmInConsole : texts.checkInbox(email)
  const content = html`<div class="stand-in"><h2>${title}</h2><p>${text}</p>
<p><a class="button" href="${bookLink(page.data, {})}">${texts.seeTimes}</a></p></div>`
  return sendBookPage(page, 200, content, { title })
}

const maxShown = 3

/** The first times that are free and fit the wish. */
function freeIn({ data }: BookPage, input: WishInput) {
  try {
    const wish = { ...readWish(input), productId: 0, resourceIds: null }
    const { timeZone } = data.place.provider
    const isFitting = ({ start, end }: Slot) =>
      matches(wish, asFreeSlot({ productId: 0, resourceId: 0, start, end }, timeZone))
    const isHere = ({ resource }: Slot) => data.isAny || resource === data.place.resource.uuid
    return data.slots.filter(one => one.seatsLeft > 0 && isHere(one) && isFitting(one)).slice(0, maxShown)
  } catch (error) {
    // The API says what is wrong with it.
    if (error instanceof Refusal) return []
    throw error
  }
}

function freeNotice({ data, words }: BookPage, free: Slot[]) {
  const texts = waitingPageTexts[words.language]
  const zone = zoneOf(data)
  const links = free.map(({ start }) => {
    const date = dayAt(start, zone)
    return html`<li><a href="${bookLink(data, { date })}">${words.format.day(date)}, ${words.format.time(start, zone)}</a></li>`
  })
  return html`<div role="status"><p><strong>${texts.availableNow}</strong></p><ul>${links}</ul><p>${texts.noneSuits}</p></div>`
}

/** From the day that was looked at, for two weeks. */
function firstWish({ data }: BookPage): WishInput {
  const today = dayAt(clockNow(), zoneOf(data))
  const { date } = data.query
  const from = isDay(date) && date > today ? date : today
  const to = new Date(Date.parse(from) + 13 * 86_400_000).toISOString().slice(0, 10)
  return { from, to, weekdays: [], timeFrom: null, timeTo: null }
}

function sendForm(
  page: BookPage,
  status: number,
  wish: WishInput,
  fields: Fields,
  errors: FieldErrors,
  notice: Html | null = null,
) {
  const { data, words } = page
  const texts = waitingPageTexts[words.language]
  const today = dayAt(clockNow(), zoneOf(data))
  const unsent = noEmails(words.language, data.place.provider.emails)
  const content = html`<div class="stand-in">${bookingInfo(data, words, false)}<h3 class="title">${texts.joinTitle}</h3><p>${texts.joinIntro}</p>${unsent && html`<p class="hint">${unsent}</p>`}
${notice}
<form method="post" action="${bookLink(data, {}, '/waiting')}" novalidate>${wishFields(words.language, wish, today)}
${contactFields(data, fields, errors, words)}${dataNotice(data, words)}${notice && html`<input type="hidden" name="anyway" value="1">`}
<p class="row"><button>${texts.join}</button> <a href="${bookLink(data, {})}">${words.texts.back}</a></p></form></div>`
  return sendBookPage(page, status, content, { title: `${texts.joinTitle} – ${data.place.provider.name}` })
}

function join(
  app: FastifyInstance,
  request: BookRequest,
  { data, words }: BookPage,
  wish: WishInput,
  fields: Fields,
) {
  const { place, isAny, places, product } = data
  const first = isAny ? place : placeOf(data, place.resource.uuid)
  const others = isAny ? places.filter(one => one !== first && one.channel.waitingList) : []
  const { weekdays, ...times } = wish
  return consumerApi(app, request)<ErrorBody>(
    'POST',
    `/resources/${first.resource.uuid}/waiting_list`,
    {},
    {
      ...times,
      ...(weekdays && weekdays.length > 0 ? { weekdays } : {}),
      product_uuid: product!.uuid,
      refs: others.map(one => one.resource.uuid),
      channelKey: first.channel.key,
      firstname: fields.firstname,
      lastname: fields.lastname,
      email: fields.email,
      mobile: fields.mobile,
      message: fields.message,
      locale: words.language,
    },
  )
}
