import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noEmailTexts } from '../../../web/shared/email-texts.ts'
import { changeEntry, confirmEntry, leaveList } from '../../actions/scheduling/waiting/entries.ts'
import { type EntryRecord, findEntry } from '../../db/scheduling/waiting-entries.ts'
import { findProviderById, type ProviderRow } from '../../db/setup/providers.ts'
import { Refusal } from '../../errors.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { leaveLink, waitingLink } from '../../links.ts'
import { wishLines } from '../../messages/content/wish-text.ts'
import { emailsOfProvider } from '../../messages/emails-of-provider.ts'
import type { EmailDelivery } from '../../rules/messages/email-delivery.ts'
import { consumerActor } from '../../rules/messages/events.ts'
import { clockOf, weekdaysIn } from '../../rules/waiting/wish.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { lookOfProvider } from '../links/booking-summary.ts'
import { sendInvalid } from '../links/invalid.ts'
import { waitingPageTexts } from './texts.ts'
import { formText, readWishForm, wishFields } from './wish-form.ts'

type Request = FastifyRequest<{
  Params: { token: string }
  Querystring: Partial<Record<'declined' | 'changed', unknown>>
  Body: Record<string, unknown> | undefined
}>

type Page = {
  reply: FastifyReply
  entry: EntryRecord
  provider: ProviderRow
  language: Language
  /** Opened with the link that joining returned. Only the email proves whose address it is. */
  isLeaveLink: boolean
  emails: EmailDelivery
}

/** The page of one entry: confirm, change, leave. GET and HEAD only show. */
export function addEntryPage(app: FastifyInstance, service: Service) {
  app.get('/waiting/:token', async (request: Request, reply) => {
    const page = await open(service, request, reply)
    if (!page) return sendInvalid(service, request, reply)
    const texts = waitingPageTexts[page.language]
    const { declined, changed } = request.query
    const notice = declined ? texts.declined : changed ? texts.changed : null
    return show(page, 200, notice === null ? null : html`<p role="status"><strong>${notice}</strong></p>`)
  })

  app.post('/waiting/:token', async (request: Request, reply) => {
    const page = await open(service, request, reply)
    if (!page) return sendInvalid(service, request, reply)
    const { entry, provider, language } = page
    const context = { service, actor: consumerActor, provider }
    const answer = formText(request.body, 'answer')
    try {
      if (answer === 'leave') await leaveList(context, entry.uuid, 'left')
      if (page.isLeaveLink) return reply.redirect(new URL(leaveLink(service, entry)).pathname, 303)
      // A second entry for the same wish becomes the first one.
      const now = answer === 'confirm' ? await confirmEntry(context, entry.uuid) : entry
      if (answer === 'change') await changeEntry(context, entry.uuid, readWishForm(request.body))
      const { pathname } = new URL(waitingLink(service, now))
      return reply.redirect(answer === 'change' ? `${pathname}?changed=1` : pathname, 303)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'suspended' || error.code === 'moved') throw error
      const texts = waitingPageTexts[language]
      const text = error.code === 'conflict' ? texts.tooMany : texts.wrongPeriod
      return show(page, 400, html`<p class="bad" role="alert"><strong>${text}</strong></p>`)
    }
  })
}

async function open(service: Service, request: Request, reply: FastifyReply): Promise<Page | null> {
  const confirmed = service.signer.open('waiting', request.params.token)
  const uuid = confirmed ?? service.signer.open('leave', request.params.token)
  const entry = uuid === null ? null : await findEntry(service.db, uuid)
  if (!entry) return null
  service.suspensions.refuseProvider(entry.providerId)
  const provider = (await findProviderById(service.db, entry.providerId))!
  const language = pickLanguage(entry.language, provider.language)
  const emails = await emailsOfProvider(service, provider)
  return { reply, entry, provider, language, isLeaveLink: confirmed === null, emails }
}

type Content = { title: string; text: string; actions: Html }

function show(page: Page, status: number, notice: Html | null) {
  const { reply, entry, provider, language } = page
  const { title, text, actions } = contentOf(page)
  const content = html`${notice}<p>${text}</p>${summary(entry, provider, language)}${actions}`
  return sendPage(reply, status, language, title, content, lookOfProvider(provider))
}

function summary(entry: EntryRecord, provider: ProviderRow, language: Language): Html {
  const where = entry.resources?.map(one => one.name).join(', ')
  const lines = wishLines(entry, language)
  return html`<p><strong>${entry.productName}</strong>${where && html`<br>${where}`}<br>${provider.name}</p>
<p>${lines.map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`
}

function contentOf({ entry, provider, language, isLeaveLink, emails }: Page): Content {
  const texts = waitingPageTexts[language]
  const demo = noEmailTexts[language].emailsDemo
  const unsent = emails === 'off' ? texts.noEmails(provider.name) : emails === 'demo' ? demo : null
  const leave = html`<form method="post"><p><button class="quiet" name="answer" value="leave">${texts.leaveButton}</button></p></form>`
  const book = entry.resources?.[0]
    ? html`<p><a class="button" href="/book/${entry.resources[0].uuid}">${texts.seeTimes}</a></p>`
    : html``
  switch (entry.state) {
    case 'UNCONFIRMED':
      if (isLeaveLink)
        return {
          title: texts.checkInboxTitle,
          text: emails === 'demo' ? texts.confirmInConsole : (unsent ?? texts.unconfirmed),
          actions: leave,
        }
      return {
        title: texts.confirmTitle,
        text: unsent ?? texts.confirmQuestion,
        actions: html`<form method="post"><div class="row"><button name="answer" value="confirm">${texts.confirmButton}</button></div></form>`,
      }
    case 'WAITING':
      return {
        title: texts.waitingTitle,
        text: unsent ?? texts.waiting,
        actions: html`${!isLeaveLink && change(entry, language)}${leave}`,
      }
    case 'OFFERED':
      return { title: texts.offeredTitle, text: unsent ?? texts.offered, actions: leave }
    case 'BOOKED':
      return { title: texts.bookedTitle, text: texts.booked, actions: html`` }
    case 'LEFT':
      return { title: texts.leftTitle, text: texts.left, actions: book }
    case 'ENDED':
      return { title: texts.endedTitle, text: texts.ended, actions: book }
  }
}

/** A person who waits for an earlier time has nothing to choose. */
function change(entry: EntryRecord, language: Language): Html | false {
  if (entry.replaces !== null) return false
  const texts = waitingPageTexts[language]
  const wish = {
    from: entry.fromDate,
    to: entry.toDate,
    weekdays: entry.weekdays === 127 ? [] : weekdaysIn(entry.weekdays),
    timeFrom: entry.fromMinute === 0 ? null : clockOf(entry.fromMinute),
    timeTo: entry.toMinute === 1440 ? null : clockOf(entry.toMinute),
  }
  return html`<details><summary>${texts.changeTitle}</summary><form method="post">${wishFields(language, wish, wish.from)}
<p><button name="answer" value="change">${texts.changeButton}</button></p></form></details>`
}
