// Every screen that a consumer meets, in every language, at every width and in both schemes, for people to look at:
// `SCREENSHOTS=1 vitest run test/web/screens.test.ts`, below screenshots/. And what a machine can see of it: nothing sticks
// out at the side.

import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { visitAfresh } from '../support/browser.ts'
import { makeProduct, makeProfile, makeRoom, makeUser, type Practice, setChannel } from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { consoleCall } from '../support/service.ts'
import { addTimes, bookPage, dayIn, openPractice, type Site, time, useSite } from '../support/widget.ts'

// Eighty pictures a test.
if (process.env.SCREENSHOTS) vi.setConfig({ testTimeout: 600_000 })

const widths = [320, 360, 768, 1280]
const folder = new URL('../../screenshots/consumer/', import.meta.url).pathname
const languages = (process.env.LANGUAGES ?? 'en,de,fr,es,it').split(',')

describe.skipIf(!process.env.SCREENSHOTS)('every screen', () => {
  let site: Site
  beforeAll(async () => {
    site = await useSite()
    mkdirSync(folder, { recursive: true })
  })

  /** With all that can make a page long: two Products, terms, an address, descriptions, places to fill. */
  async function wordyPractice(language: string) {
    const { crm, app } = site.holdfast
    const practice = await openPractice(site, {
      name: 'Gemeinschaftspraxis am Hafenkrankenhaus',
      email: `desk-${language}@example.org`,
      phone: '+49 40 123456',
    })
    const settings = { privacyUrl: 'https://example.org/privacy', terms: 'Be on time.', termsRequired: true }
    await consoleCall(app, 'PATCH', `/providers/${practice.uuid}`, { ...settings, language })
    const description = 'Bitte Versichertenkarte und Überweisung mitbringen.'
    const product = { reference: practice.product, name: 'Vorsorgeuntersuchung', description }
    await makeProduct(crm, practice, product)
    await makeProduct(crm, practice, { name: 'Impfberatung', minDuration: 60 })
    const room = await makeRoom(crm, practice, {
      publicName: 'Dr. Anna-Katharina Oberhuber',
      address: { street: 'Zirkusweg', number: '11', zip: '20359', city: 'Hamburg' },
      contact: practice.owner,
      contactProfileReference: (await makeProfile(crm, practice, practice.owner)).reference,
    })
    for (const day of [1, 2]) await addTimes(site, room, dayIn(day), '08:00', '19:00', { defaultCapacity: 9 })
    return room
  }

  /** The screen as it is now, at every width and in both schemes. */
  async function shoot(page: Page, language: string, name: string) {
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 600 ? 740 : 900 })
      const stuck = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect.soft([language, name, width, stuck]).toEqual([language, name, width, 0])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({
          path: `${folder}${language}-${name}-${width}-${colorScheme}.png`,
          fullPage: true,
        })
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  async function book(practice: Practice, locale: string, at: string, fields: Record<string, unknown> = {}) {
    const consumer = asConsumer(overApp(site.holdfast.app))
    const all = slotsOf(await consumer.list(practice.resource, { prdRef: practice.productUuid }))
    const request = bookingOf(all.find(slot => slot.start.includes(`T${at}`))!, {
      locale,
      timeZone: 'America/New_York',
      agbs: true,
      ...fields,
    })
    const { status, body } = await consumer.complete(practice.resource, request)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.createdAppointment as Record<'cancelLink' | 'moveLink' | 'confirmationLink', string>
  }

  const widget = (page: Page, selector: string) => page.locator(`holdfast-booking ${selector}`)

  it.each(languages)('of the widget in %s', async language => {
    const room = await wordyPractice(language)
    const { page } = await visitAfresh(site.browser, bookPage(site, room, `?lang=${language}`))
    const look = (name: string) => shoot(page, language, name)
    const submit = widget(page, '[part="submit"]')
    const email = `w-${language}@example.org`
    const fill = async () => {
      const fields = { firstname: 'Ann', lastname: 'Winter', email }
      for (const [name, value] of Object.entries(fields)) await widget(page, `[name="${name}"]`).fill(value)
      await widget(page, '[name="agreed"]').check()
    }
    await widget(page, '[part="product"]').first().waitFor()
    await look('01-products')
    await widget(page, '[part="product"]').first().click()
    await time(page, /^10:00/).waitFor()
    await look('02-times')
    await page.setViewportSize({ width: 360, height: 740 })
    await widget(page, '#month button').click()
    await look('03-month-open')
    await time(page, /^10:00/).click()
    await submit.click()
    await widget(page, '.error').first().waitFor()
    await look('04-form-wrong')
    await fill()
    await widget(page, '[name="email"]').fill('ann@gmial.con')
    await widget(page, '[name="mobile"]').fill('soon')
    await widget(page, '[name="message"]').focus()
    await look('05-form-slip')
    await widget(page, '[name="mobile"]').fill('')
    await fill()
    await page.route(/create_appointment/, route =>
      route.fulfill({ status: 412, json: { errors: [{ errorCode: '201' }] } }),
    )
    await submit.click()
    await widget(page, '.nearest').waitFor()
    await look('06-lost')
    await page.unroute(/create_appointment/)
    await widget(page, '.nearest button').first().click()
    await widget(page, '[role="timer"]').waitFor()
    await look('07-held')
    await submit.click()
    await widget(page, '[part~="confirmed"]').waitFor()
    await look('08-confirmed')
    await widget(page, '.done > button.link').first().click()
    await look('09-wrong-address')
    await page.reload()
    await look('10-booked-page')
    await page.goto(bookPage(site, room, `?lang=${language}&product=${room.productUuid}`))
    // Where they are already: the first of the nearest times was a quarter to or past ten.
    await time(page, /8\s\S+\s9/)
      .first()
      .click()
    await fill()
    await submit.click()
    await widget(page, '[part="notice"]').waitFor()
    await look('11-twice')
  })

  it.each(languages)('of moving, cancelling and deciding in %s', async language => {
    const room = await wordyPractice(language)
    const look = (name: string) => shoot(page, language, name)
    const { cancelLink, moveLink, confirmationLink } = await book(room, language, '10:00')
    const { page } = await visitAfresh(site.browser, moveLink)
    await time(page, /^08:30/).waitFor()
    await look('20-move-page')
    await time(page, /^08:30/).click()
    await submitOf(page).waitFor()
    await look('21-move-question')
    await submitOf(page).click()
    await widget(page, '[part~="done"]').waitFor()
    await look('22-moved')
    await page.goto(cancelLink)
    await look('23-cancel')
    await page.locator('button').click()
    await look('24-cancelled')
    await page.goto(cancelLink)
    await look('25-over')
    await page.goto(confirmationLink)
    await look('26-booked-cancelled')
    const late = await book(room, language, '11:00')
    await setChannel(site.holdfast, room.resourceUuid, { changeNoticeMinutes: 14 * 1440 })
    await page.goto(late.cancelLink)
    await look('27-too-late')
    await setChannel(site.holdfast, room.resourceUuid, {
      changeNoticeMinutes: 0,
      bookingProcess: 'REQUESTED',
    })
    const requested = await book(room, language, '12:00', { message: 'I come by bike.' })
    await page.goto(requested.confirmationLink)
    await look('28-requested-page')
    const notice = (await mailsTo(site.holdfast, 'profile@example.org')).at(-1)!
    await page.goto(/http:\S+\/accept\/[\w.-]+/.exec(notice.text)![0])
    await look('29-decide')
    await page.locator('form button').first().click()
    await look('30-decided')
    await page.goto(`${site.origin}/cancel/nonsense`)
    await look('31-no-link')
    await page.goto(`${site.origin}/book/unknown%40nowhere?lang=${language}`)
    await look('32-unknown')
    // The widget with a move link, and what it says at the end.
    await setChannel(site.holdfast, room.resourceUuid, { bookingProcess: 'IMMEDIATE' })
    const other = await book(room, language, '13:00')
    await page.goto(bookPage(site, room, `?lang=${language}`))
    await page
      .locator('holdfast-booking')
      .evaluate((element, link) => element.setAttribute('move-token', link), other.moveLink)
    await widget(page, '[part="so-far"]').waitFor()
    await look('33-move-widget')
    await time(page, /^15:00/).click()
    await submitOf(page).waitFor()
    await look('34-move-widget-question')
    await submitOf(page).click()
    await widget(page, '[part~="done"]').waitFor()
    await look('35-move-widget-done')
    await widget(page, '[part="cancel-link"]').click()
    await look('36-cancel-widget')
    await widget(page, '[part="notice"] .quiet').click()
    await widget(page, '[part~="cancelled"]').waitFor()
    await look('37-cancelled-widget')
  })

  const submitOf = (page: Page) => widget(page, '[part="submit"]')

  it.each(languages)('of closed states in %s', async language => {
    const room = await wordyPractice(language)
    const { page } = await visitAfresh(site.browser, 'about:blank')
    const look = (name: string) => shoot(page, language, name)
    const open = async (part: string) => {
      await page.goto(bookPage(site, room, `?lang=${language}&product=${room.productUuid}`))
      await widget(page, `[part="${part}"]`).first().waitFor()
    }
    await setChannel(site.holdfast, room.resourceUuid, { bookingProcess: 'REQUESTED' })
    await open('times')
    await look('40-times-request')
    await time(page, /^10:00/).click()
    await submitOf(page).waitFor()
    await look('41-form-request')
    await page.route(/create_appointment/, route =>
      route.fulfill({ status: 429, headers: { 'retry-after': '40' }, json: { errors: [] } }),
    )
    for (const [name, value] of Object.entries({ firstname: 'A', lastname: 'B', email: 'a@example.org' }))
      await widget(page, `[name="${name}"]`).fill(value)
    await widget(page, '[name="agreed"]').check()
    await submitOf(page).click()
    await widget(page, '[role="alert"]').waitFor()
    await look('42-busy')
    await page.unroute(/create_appointment/)
    await submitOf(page).click()
    await widget(page, '[part~="requested"]').waitFor()
    await look('43-requested')
    await setChannel(site.holdfast, room.resourceUuid, { visible: false })
    await open('closed')
    await look('44-hidden')
    const empty = await makeRoom(site.holdfast.crm, room, { publicName: 'Empty room' })
    await page.goto(bookPage(site, empty, `?lang=${language}&product=${room.productUuid}`))
    await widget(page, '[part="closed"]').waitFor()
    await look('45-nothing-free')
  })

  it.each(languages)('without JavaScript in %s', async language => {
    const room = await wordyPractice(language)
    const { page } = await visitAfresh(site.browser, bookPage(site, room, `?lang=${language}`), {
      javaScriptEnabled: false,
    })
    const look = async (name: string) => {
      for (const width of widths)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: width < 600 ? 740 : 900 })
          await page.emulateMedia({ colorScheme })
          await page.screenshot({
            path: `${folder}${language}-${name}-${width}-${colorScheme}.png`,
            fullPage: true,
          })
        }
    }
    await look('50-plain-products')
    await page.locator('.stand-in li a').first().click()
    await look('51-plain-times')
    await page.locator('.slots button').nth(4).click()
    await look('52-plain-form')
    await page.locator('.stand-in form button').first().click()
    await look('53-plain-form-wrong')
    const user = await makeUser(site.holdfast.crm)
    await site.holdfast.query('update app_user set language = $1 where email = $2', [language, user.email])
    const verify = (await mailsTo(site.holdfast, user.email)).at(-1)!
    await page.goto(/http:\S+\/verify\/[\w.-]+/.exec(verify.text)![0])
    await look('54-verify')
    await page.locator('form button').click()
    await look('55-verified')
  })

  it('in other modes: forced colours, zoom, print, right to left', async () => {
    const room = await wordyPractice('en')
    const { page } = await visitAfresh(site.browser, 'about:blank')
    const shot = (name: string) => page.screenshot({ path: `${folder}eyes-${name}.png`, fullPage: true })
    const { confirmationLink } = await book(room, 'en', '16:00')
    const looks = {
      forced: () => page.emulateMedia({ forcedColors: 'active' }),
      'forced-dark': () => page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' }),
      // 1280 pixels at twice the size are 640 of them.
      zoom: () => page.setViewportSize({ width: 640, height: 450 }),
      paper: () => page.emulateMedia({ media: 'print' }),
      rtl: () => page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl')),
    }
    for (const [name, change] of Object.entries(looks)) {
      await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light', media: 'screen' })
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(bookPage(site, room, `?lang=en&product=${room.productUuid}`))
      await time(page, /^10:00/).waitFor()
      await change()
      await shot(`${name}-times`)
      await time(page, /^10:00/).click()
      await submitOf(page).waitFor()
      await shot(`${name}-form`)
      await page.goto(confirmationLink)
      // What was in the form would be there again.
      await page.evaluate(() => sessionStorage.clear())
      if (name === 'rtl') await change()
      await shot(`${name}-booked`)
    }
  })
})
