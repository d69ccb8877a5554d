// What visitors see: the booking page step by step, the pages behind the links of emails, and the emails.

import type { Browser, Page } from 'playwright-core'
import type { Practice } from '../front-desk/practice.ts'
import { isWanted, locale, shoot } from './shot.ts'

const part = (page: Page, name: string) => page.locator(`holdfast-booking [part~="${name}"]`)
const field = (page: Page, name: string) => page.locator(`holdfast-booking [name="${name}"]`)

/** Books with the second person; with the last, who confirms each request. */
export async function shootBooking(browser: Browser, origin: string, practice: Practice) {
  const { people, send } = practice
  const [direct, request] = [people[1]!.uuid, people.at(-1)!.uuid]
  await send('PATCH', `/resources/${request}/channels`, { bookingProcess: 'REQUESTED' })
  const page = await newVisitor(browser)
  await bookAt(page, `${origin}/book/${direct}`, 'booking')
  await bookAt(page, `${origin}/book/${request}`, 'request')
  const { links } = await send('GET', `/appointments/${await bookedWith(practice, 'booking@example.org')}`)
  for (const [name, address] of Object.entries(links[0] as Record<string, string>)) {
    if (!address.startsWith('http')) continue
    await page.goto(address, { waitUntil: 'networkidle' })
    await shoot(page, `links/${name}`)
  }
  await page.goto(`${origin}/my/at/${practice.provider.uuid}`)
  await shoot(page, 'links/my')
  await page.goto(`${origin}/cancel/nonsense`)
  await shoot(page, 'links/not-found')
  await page.context().close()
  const plain = await newVisitor(browser, false)
  await plain.goto(`${origin}/book/${direct}`)
  await shoot(plain, 'links/without-javascript')
  await plain.context().close()
}

async function bookAt(page: Page, address: string, name: string) {
  await page.goto(address)
  await part(page, 'product').first().waitFor()
  await shoot(page, `${name}/1-services`)
  await part(page, 'product').first().click()
  const time = part(page, 'times').getByRole('button').first()
  await time.waitFor()
  await shoot(page, `${name}/2-times`)
  await time.click()
  await field(page, 'firstname').waitFor()
  await shoot(page, `${name}/3-form`)
  await field(page, 'firstname').fill('Maximiliane-Charlotte')
  await field(page, 'lastname').fill('von Hohenstein-Wittgenstein')
  await field(page, 'email').fill(`${name}@example.org`)
  await part(page, 'submit').click()
  await part(page, 'submit').waitFor({ state: 'detached' })
  await shoot(page, `${name}/4-done`)
}

/** The uuid of the Appointment that was booked with this address. */
async function bookedWith({ send, at }: Practice, email: string): Promise<string> {
  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const { entries } = await send('GET', `${at}/calendar?from=${date(0)}&to=${date(30)}`)
  type Entry = { uuid: string; people: { email: string | null }[] }
  return entries.find((one: Entry) => one.people.some(person => person.email === email)).uuid
}

async function newVisitor(browser: Browser, javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({ locale, timezoneId: 'Europe/Berlin', javaScriptEnabled })
  return context.newPage()
}

/** Each kind of email to customers, about an invented booking. */
export async function shootEmails(browser: Browser, { send, at }: Practice) {
  if (!isWanted('emails/')) return
  const page = await newVisitor(browser, false)
  const { kinds } = await send('GET', `${at}/email-texts`)
  for (const { kind } of kinds as { kind: string }[]) {
    const body = { language: locale.slice(0, 2), text: null }
    const { html } = await send('POST', `${at}/email-texts/${kind}/preview`, body)
    await shoot(page, `emails/${kind}`, () => page.setContent(html))
  }
  await page.context().close()
}
