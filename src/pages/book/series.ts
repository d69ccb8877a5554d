import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Created } from '../../../web/shared/api-types.ts'
import { confirmation } from '../../../web/shared/confirmation.ts'
import { confirmationHint, noEmails } from '../../../web/shared/email-texts.ts'
import { check, type FieldErrors, type Fields, fieldNames, noFields } from '../../../web/shared/fields.ts'
import { rhythms } from '../../../web/shared/series-texts.ts'
import { consumerApi } from '../../http/wire/consumer-api.ts'
import { element, type Html, html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { type GivenAnswers, questionFields, readAnswers } from '../questions.ts'
import { placeOf, refOf, zoneOf } from './data.ts'
import { contactFields, dataNotice, formOf, needsPhone } from './form.ts'
import { type BookPage, type BookRequest, openPage, sendBookPage } from './open-page.ts'
import { seriesPageTexts } from './series-texts.ts'
import { bookingInfo, bookLink, productLinks, slotForm } from './slots.ts'

// `/book/{ref}/series`: several dates at once, without JavaScript. First how often and the first time, then
// the dates that are held, with the form.

type Body = Record<string, unknown> | undefined
type ErrorBody = { errors?: { errorCode: string; field?: string }[] }
type HeldDate = {
  date: string
  start: string
  end: string
  placeholder_id: string | null
  timeslot_uuid: string | null
  nearest: { start: string; end: string; timeslot_uuid: string }[]
}
/** `dates` travels through the form, so that a mistake in a field loses no hold. */
type Plan = { resource: string; product: string; rule: Rule; first: FirstDate; dates: HeldDate[] }
type Rule = { unit: string | undefined; every: number; count: number }
type FirstDate = { timeslot_uuid: string; from: string; to: string }

export function addSeriesPages(app: FastifyInstance, service: Service) {
  app.get('/book/:ref/series', async (request: BookRequest, reply) => {
    const page = await open(service, request, reply)
    return page ? sendStart(page, 200, {}) : reply
  })

  app.post('/book/:ref/series', async (request: BookRequest, reply) => {
    const page = await open(service, request, reply)
    if (!page) return reply
    const body = request.body as Body
    const [start, end, timeslot = '', _fourth, product = '', resource = ''] = textOf(body, 'slot').split(' ')
    const [every, unit] = textOf(body, 'rhythm').split(' ')
    const there = at(page, resource)
    const chosen = product || there.data.product?.uuid || ''
    const rule = { unit, every: Number(every), count: Number(textOf(body, 'count')) }
    const first = { timeslot_uuid: timeslot, from: instant(start), to: instant(end) }
    const plan = { resource, product: chosen, rule, first, dates: [] }
    const { status, body: answer } = await hold(app, request, there, plan, [])
    if (status !== 200) return sendStart(page, status, body ?? {}, problemOf(page, status))
    return sendDates(there, 200, { ...plan, dates: answer.dates }, noFields, {})
  })

  app.post('/book/:ref/series/complete', async (request: BookRequest, reply) => {
    const page = await open(service, request, reply)
    if (!page) return reply
    const body = request.body as Body
    const plan = planIn(body)
    if (!plan) return sendStart(page, 400, {}, problemOf(page, 400))
    const there = at(page, plan.resource)
    const fields = Object.fromEntries(
      fieldNames.map(name => [name, textOf(body, name).replaceAll('\r\n', '\n')]),
    ) as Fields
    const given = readAnswers(formOf(there, plan), body)
    const errors = check(fields, needsPhone(there.data))
    const texts = seriesPageTexts(there.words.language)
    const wanted = wantedIn(plan, body)
    const mustAgree = there.data.place.provider.termsRequired && textOf(body, 'agreed') === ''
    if (Object.keys(errors).length > 0 || mustAgree || wanted.length === 0) {
      const wrong = mustAgree ? there.words.texts.mustAccept : wanted.length === 0 ? texts.noneChosen : null
      return sendDates(there, 400, plan, fields, errors, wrong, given)
    }
    const held = await holdInstead(app, request, there, plan, wanted)
    if (!held) return sendStart(page, 412, {}, texts.lost)
    const chosen = wanted.flatMap(({ date }) => held.find(one => one.date === date)?.placeholder_id ?? [])
    // Only what was shown is booked.
    if (chosen.length < wanted.length)
      return sendDates(there, 409, { ...plan, dates: held }, fields, {}, texts.lost, given)
    const done = await complete(app, request, there, plan, { fields, given, chosen })
    if (done.status === 201) return sendDone(there, done.body.createdAppointments, fields.email)
    if (done.status === 400) return sendDates(there, 400, plan, fields, {}, problemOf(there, 400), given)
    return sendStart(page, done.status, {}, done.status === 412 ? texts.lost : problemOf(page, done.status))
  })
}

/** Null if there is no such Resource or it takes no series; the page has then been sent. */
async function open(service: Service, request: BookRequest, reply: FastifyReply) {
  const page = await openPage(service, request, reply)
  if (!page) return null
  const { place, product, products } = page.data
  if (place.channel.series !== null && place.channel.visible && product) return page
  const texts = seriesPageTexts(page.words.language)
  const linkTo = (one: string, name: Html) =>
    html`<a href="${bookLink(page.data, { product: one }, '/series')}">${name}</a>`
  const isOpen = place.channel.series !== null && products.length > 1
  const content = isOpen
    ? productLinks(page.data, page.words, linkTo)
    : html`<p>${texts.closed}</p><p><a class="button" href="${bookLink(page.data, {})}">${page.words.texts.back}</a></p>`
  sendBookPage(
    page,
    isOpen ? 200 : 404,
    html`<div class="stand-in"><h2>${texts.title}</h2>${content}</div>`,
    {
      title: texts.title,
    },
  )
  return null
}

const at = (page: BookPage, resource: string): BookPage => ({
  ...page,
  data: { ...page.data, place: placeOf(page.data, resource), isAny: false },
})

function problemOf({ words }: BookPage, status: number): string {
  if (status === 400 || status === 412) return seriesPageTexts(words.language).wrong
  return words.texts[status === 429 ? 'tooMany' : 'serverError']
}

function sendStart(
  page: BookPage,
  status: number,
  sent: Record<string, unknown>,
  problem: string | null = null,
) {
  const { data, words } = page
  const texts = seriesPageTexts(words.language)
  const max = data.place.channel.seriesMax
  const options = rhythms.map(
    one =>
      html`<option value="${one}"${sent.rhythm === one && html` selected`}>${texts.rhythms[one]}</option>`,
  )
  const count = typeof sent.count === 'string' ? sent.count : Math.min(max, 4)
  const before = html`<div class="pair"><p><label for="rhythm">${texts.rhythm}</label><select id="rhythm" name="rhythm">${options}</select></p>
<p><label for="count">${texts.count}</label><input id="count" name="count" type="number" min="2" max="${max}" value="${count}" required></p></div><h3>${texts.first}</h3>`
  const links = {
    action: bookLink(data, {}, '/series'),
    on: (date: string | undefined, name: string) =>
      html`<a href="${bookLink(data, { date }, '/series')}">${name}</a>`,
    before,
  }
  const content = html`<div class="stand-in">${bookingInfo(data, words, false)}<h3 class="title">${texts.title}</h3><p>${texts.intro(max)}</p>
${problem && html`<p class="bad" role="alert"><strong>${problem}</strong></p>`}
${slotForm(data, words, links)}<p><a href="${bookLink(data, {})}">${words.texts.back}</a></p></div>`
  return sendBookPage(page, status, content, { title: `${texts.title} – ${data.place.provider.name}` })
}

function sendDates(
  page: BookPage,
  status: number,
  plan: Plan,
  fields: Fields,
  errors: FieldErrors,
  problem: string | null = null,
  given: GivenAnswers = {},
) {
  const { data, words } = page
  const texts = seriesPageTexts(words.language)
  const { provider, channel } = data.place
  const form = formOf(page, plan)
  const isRequest = channel.bookingProcess === 'REQUESTED'
  const content = html`<div class="stand-in">${bookingInfo(data, words, false)}<h3 class="title">${texts.check}</h3><p>${texts.dates}</p>
${problem && html`<p class="bad" role="alert"><strong>${problem}</strong></p>`}
<form method="post" action="${bookLink(data, {}, '/series/complete')}" novalidate>
<input type="hidden" name="plan" value="${JSON.stringify(plan)}">
<ul class="dates">${plan.dates.map((date, index) => dateLine(page, date, index))}</ul>
<p class="soft">${words.format.zone(zoneOf(data), Date.parse(plan.dates[0]?.start ?? ''))}</p>
${contactFields(data, fields, errors, words)}
${questionFields({ form, given, errors: new Map(), language: words.language }, words.texts.optional)}
${isRequest && html`<p class="hint">${confirmationHint(words, provider)}</p>`}
${dataNotice(data, words)}
${provider.terms && html`<details><summary>${words.texts.terms}</summary><p class="typed">${provider.terms}</p></details>`}
${provider.termsRequired && html`<p><label><input type="checkbox" name="agreed" required> ${words.texts.acceptTerms}</label></p>`}
<p class="row"><button>${isRequest ? words.texts.request : texts.book}</button> <a href="${bookLink(data, {}, '/series')}">${words.texts.back}</a></p></form></div>`
  return sendBookPage(page, status, content, { title: `${texts.check} – ${provider.name}` })
}

function dateLine({ data, words }: BookPage, date: HeldDate, index: number): Html {
  const texts = seriesPageTexts(words.language)
  const name = words.format.when(Date.parse(date.start), zoneOf(data))
  if (date.placeholder_id)
    return html`<li><label><input type="checkbox" name="held" value="${date.placeholder_id}" checked> ${name}</label></li>`
  const options = date.nearest.map(
    (time, place) =>
      html`<option value="${place}">${words.format.when(Date.parse(time.start), zoneOf(data))}</option>`,
  )
  return html`<li><s>${name}</s> <span class="soft">${texts.taken}</span>
${options.length > 0 && html`<br><label for="instead${index}">${texts.instead}</label> <select id="instead${index}" name="instead${index}"><option value="">${texts.nothing}</option>${options}</select>`}</li>`
}

type WantedDate = { date: string; from: string }

/** The ticked dates, and times chosen instead of those that are taken. */
const wantedIn = ({ dates }: Plan, body: Body): WantedDate[] => {
  const ticked = [body?.held ?? []].flat()
  return dates.flatMap(({ date, start, placeholder_id, nearest }, index) => {
    if (placeholder_id) return ticked.includes(placeholder_id) ? { date, from: start } : []
    const chosen = textOf(body, `instead${index}`)
    const time = chosen === '' ? undefined : nearest[Number(chosen)]
    return time ? { date, from: time.start } : []
  })
}

/** Holds times that were chosen instead, with the dates that are held already. Null if that is refused. */
async function holdInstead(
  app: FastifyInstance,
  request: BookRequest,
  there: BookPage,
  plan: Plan,
  wanted: WantedDate[],
): Promise<HeldDate[] | null> {
  const startOf = new Map(plan.dates.map(one => [one.date, one.start]))
  if (wanted.every(({ date, from }) => startOf.get(date) === from)) return plan.dates
  const instead = wanted.filter(({ date, from }) => date !== from)
  const { status, body } = await hold(app, request, there, plan, instead)
  return status === 200 ? body.dates : null
}

const hold = (
  app: FastifyInstance,
  request: BookRequest,
  { data }: BookPage,
  { product, rule, first, dates }: Plan,
  instead: WantedDate[],
) =>
  consumerApi(app, request)<{ dates: HeldDate[] } & ErrorBody>(
    'POST',
    `/resources/${encodeURIComponent(refOf(data))}/reserve_series`,
    { channelKey: data.query.channelKey },
    {
      ...first,
      product_uuid: product,
      rule,
      instead,
      placeholder_ids: dates.flatMap(one => one.placeholder_id ?? []),
    },
  )

function complete(
  app: FastifyInstance,
  request: BookRequest,
  { data, words }: BookPage,
  plan: Plan,
  { fields, given, chosen }: { fields: Fields; given: GivenAnswers; chosen: string[] },
) {
  const [first] = plan.dates
  return consumerApi(app, request)<{ createdAppointments: Created[] } & ErrorBody>(
    'POST',
    `/resources/${encodeURIComponent(refOf(data))}/create_appointment_with_consumer`,
    {},
    {
      start: first!.start,
      end: first!.end,
      timeslot_uuid: first!.timeslot_uuid ?? plan.dates.find(one => one.timeslot_uuid)?.timeslot_uuid ?? '-',
      product_uuid: plan.product,
      placeholder_ids: chosen,
      ...fields,
      mobile: fields.mobile || undefined,
      message: fields.message || undefined,
      agbs: textOf(request.body as Body, 'agreed') !== '',
      locale: words.format.tag,
      channelKey: data.query.channelKey,
      answers: Object.keys(given).length > 0 ? given : undefined,
    },
  )
}

function sendDone(page: BookPage, created: Created[], email: string) {
  const { data, words } = page
  const texts = seriesPageTexts(words.language)
  const isRequest = created[0]?.state === 'REQUESTED'
  const title = isRequest ? texts.requestedTitle : texts.doneTitle
  const lines = created
    .toSorted((one, other) => Date.parse(one.start) - Date.parse(other.start))
    .map(
      one =>
        html`<a class="line" href="${new URL(one.confirmationLink).pathname}">${words.format.when(Date.parse(one.start), zoneOf(data))}</a>`,
    )
  const said = confirmation(element, {
    status: isRequest ? 'requested' : 'confirmed',
    heading: html`<h2>${title}</h2>`,
    hint: noEmails(words.language, data.place.provider.emails) ?? texts.done(email),
    email,
    facts: [[words.texts.when, lines]],
    calendar: null,
    actions: html`<p class="row"><a class="button quiet" href="${bookLink(data, {})}">${words.texts.bookAnother}</a></p>`,
  })
  const content = html`<div class="stand-in done">${said}</div>`
  return sendBookPage(page, 200, content, { title })
}

const textOf = (body: Body, name: string) => {
  const value = body?.[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Empty for anything but a time of our own buttons. */
const instant = (text: string | undefined) =>
  /^\d{1,15}$/.test(text ?? '') ? new Date(Number(text)).toISOString() : ''

/** Our own field; anything else counts as missing. */
function planIn(body: Body): Plan | null {
  try {
    const plan = JSON.parse(textOf(body, 'plan')) as Plan
    const isFine =
      typeof plan.resource === 'string' &&
      typeof plan.product === 'string' &&
      [plan.rule, plan.first].every(one => typeof one === 'object') &&
      plan.dates.length > 0 &&
      plan.dates.every(
        one =>
          typeof one.date === 'string' &&
          typeof one.start === 'string' &&
          typeof one.end === 'string' &&
          Array.isArray(one.nearest),
      )
    return isFine ? plan : null
  } catch {
    return null
  }
}
