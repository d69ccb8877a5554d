// What visitors want to know before they press the button, and the right words afterwards.

import { describe, expect, it } from 'vitest'
import { narrow, screenshot, visit, visitAfresh } from '../support/browser.ts'
import {
  makeProduct,
  makeProfile,
  makeProvider,
  makeResource,
  makeRoom,
  setChannel,
} from '../support/build.ts'
import { asConsumer, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { bookAt } from '../support/moves.ts'
import { call, consoleCall } from '../support/service.ts'
import {
  addTimes,
  bookPage,
  dayIn,
  expectNoBarriers,
  fillForm,
  openHost,
  openPractice,
  soon,
  time,
  times,
  useSite,
} from '../support/widget.ts'

const site = await useSite()

const change = (uuid: string, body: object) =>
  consoleCall(site.holdfast.app, 'PATCH', `/providers/${uuid}`, body)

describe('before the button', () => {
  it('shows who gets the data, the cancellation deadline, whom to call and what to bring', async () => {
    const practice = await openPractice(site, { phone: '+49 40 123456' }, { days: [3] })
    await setChannel(site.holdfast, practice.resourceUuid, { changeNoticeMinutes: 1440 })
    const settings = { privacyUrl: 'https://example.org/privacy', terms: 'Be on time.', termsRequired: true }
    expect((await change(practice.uuid, { privacyUrl: 'javascript:alert(1)' })).status).toBe(400)
    expect((await change(practice.uuid, settings)).body).toMatchObject(settings)
    await makeProduct(site.holdfast.crm, practice, {
      reference: practice.product,
      description: 'Please bring your card.',
    })
    const { page } = await visit(site.browser, bookPage(site, practice), { viewport: narrow })
    await time(page, '10:00').click()
    await page.getByText('Your details go to Harbour Practice only.').waitFor()
    await page.getByText('You can reschedule or cancel online until 1 day before it starts.').waitFor()
    expect(await page.getByRole('link', { name: 'Privacy notice' }).getAttribute('href')).toBe(
      settings.privacyUrl,
    )
    expect(
      await page.getByRole('region').getByRole('link', { name: '+49 40 123456' }).getAttribute('href'),
    ).toBe('tel:+4940123456')
    const advice = page.getByRole('region').getByText('Please bring your card.')
    await advice.waitFor()
    await fillForm(page, { Email: 'trust@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Please accept the terms.').waitFor()
    await expectNoBarriers(page)
    await screenshot(page, '360-light-trust')
    await page.getByLabel('I accept the terms.').check()
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    await advice.waitFor()
    await screenshot(page, '360-light-done')
    await page.reload()
    await page.getByText('Please bring your card.').waitFor()
    expect((await mailsTo(site.holdfast, 'trust@example.org'))[0]!.text).toContain('Please bring your card.')
  })

  it('shows the terms without JavaScript too', async () => {
    const practice = await openPractice(site)
    await change(practice.uuid, { terms: 'Be on time.', termsRequired: true })
    const { page } = await visit(site.browser, bookPage(site, practice), { javaScriptEnabled: false })
    await page.getByRole('button', { name: '10:00' }).first().click()
    await fillForm(page, { Email: 'terms@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Please accept the terms.').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('terms@example.org')
    await page.getByLabel('I accept the terms.').check()
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  })

  it.each(['phone', 'mobile'])('shows the %s of the Provider if the contact has no number', async kind => {
    const practice = await openPractice(site, { [kind]: '+49 40 123456' })
    const profile = await makeProfile(site.holdfast.crm, practice, practice.owner)
    const room = await makeRoom(site.holdfast.crm, practice, {
      contact: practice.owner,
      contactProfileReference: profile.reference,
    })
    await addTimes(site, room, dayIn(1), '09:00', '12:00')
    const { page } = await visit(site.browser, bookPage(site, room))
    const number = page.getByRole('link', { name: '+49 40 123456' })
    expect(await page.locator('.business').locator(number).getAttribute('href')).toBe('tel:+4940123456')
    await time(page, '10:00').click()
    await page.getByRole('heading', { name: 'Your details' }).waitFor()
    expect(await number.last().getAttribute('href')).toBe('tel:+4940123456')
    const plain = await visit(site.browser, bookPage(site, room), { javaScriptEnabled: false })
    await plain.page.getByRole('button', { name: '11:00' }).click()
    const plainNumber = plain.page
      .locator('main form, .stand-in')
      .getByRole('link', { name: '+49 40 123456' })
      .last()
    expect(await plainNumber.getAttribute('href')).toBe('tel:+4940123456')
    // And where only a call helps: behind the link of a booking that is too close, and where nothing can be booked.
    const consumer = asConsumer(overApp(site.holdfast.app))
    const [slot] = slotsOf(await consumer.list(room.resource))
    const { cancelLink } = await bookAt(consumer, slot!)
    await setChannel(site.holdfast, room.resourceUuid, { changeNoticeMinutes: 14 * 1440 })
    await page.goto(cancelLink)
    expect(await number.getAttribute('href')).toBe('tel:+4940123456')
    await setChannel(site.holdfast, room.resourceUuid, { visible: false })
    await page.goto(bookPage(site, room))
    await soon(() => page.getByRole('region').locator(number).getAttribute('href')).toBe('tel:+4940123456')
  })

  it('does not link a number with an extension: it would be dialled wrongly', async () => {
    const phone = '040 123456 ext. 5'
    const practice = await openPractice(site, { phone })
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await visit(site.browser, bookPage(site, practice), { javaScriptEnabled })
      await page.getByRole('button', { name: '10:00' }).first().click()
      await page.getByRole('heading', { name: 'Your details' }).waitFor()
      expect(await page.getByText(phone).count()).toBe(2)
      expect(await page.locator('a[href^="tel:"]').count()).toBe(0)
    }
  })

  it('shows no terms if the provider has none', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice), { javaScriptEnabled: false })
    await page.getByRole('button', { name: '10:00' }).first().click()
    await page.getByText('Your details go to Harbour Practice only.').waitFor()
    await page.getByText('You can reschedule or cancel online until it starts.').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })
})

describe('texts', () => {
  it('call a withdrawn request withdrawn, never refused', async () => {
    const practice = await openPractice(site)
    await consoleCall(
      site.holdfast.app,
      'PATCH',
      `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`,
      {
        bookingProcess: 'REQUESTED',
      },
    )
    const { page } = await visit(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'withdraw@example.org' })
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByRole('heading', { name: 'Your request has been sent' }).waitFor()
    await page.goto((await page.getByRole('link', { name: 'Withdraw request' }).getAttribute('href'))!)
    await page.getByRole('link', { name: 'Keep request' }).click()
    await page.getByRole('heading', { name: 'Your request has been sent' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Withdraw request' }).click()
    await page.getByRole('heading', { name: 'Your request has been withdrawn' }).waitFor()
    await page.getByRole('link', { name: 'Book another appointment' }).click()
    await time(page, '10:00').waitFor()
    const mails = await mailsTo(site.holdfast, 'withdraw@example.org')
    expect(mails.map(mail => mail.kind)).toEqual(['requested', 'declined'])
    expect(mails[1]!.subject).toMatch(/^Request withdrawn: /)
    expect(mails[1]!.text).not.toContain('not be')
  })

  it('say "earlier" for previous times, and the month ends at the last offer', async () => {
    const practice = await openPractice(site, {}, { days: [1] })
    const { page } = await visit(site.browser, bookPage(site, practice, `?date=${dayIn(70)}`))
    await page.getByRole('button', { name: /^Earlier: / }).click()
    await times(page).first().waitFor()
    const next = page.getByRole('button', { name: 'Next month' })
    await soon(() => next.getAttribute('aria-disabled')).toBe('true')
  })

  /** The first who books has it; the second is the same person. */
  async function bookTwice(email: string, shownAs = email, javaScriptEnabled = true) {
    const practice = await openPractice(site, {}, { days: [1], defaultCapacity: 5 })
    const [slot] = slotsOf(await asConsumer(overApp(site.holdfast.app)).list(practice.resource)).slice(2)
    await bookAt(asConsumer(overApp(site.holdfast.app)), slot!, { ...newPerson(), email })
    const { page } = await visit(site.browser, bookPage(site, practice), {
      javaScriptEnabled,
      viewport: narrow,
    })
    await page
      .getByRole('button', { name: /^10:00/ })
      .first()
      .click()
    await fillForm(page, { Email: email })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('You already have this appointment.').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('10:00')
    await page.getByRole('button', { name: 'Email me the links to reschedule or cancel' }).click()
    await page
      .getByText(`If you booked with ${shownAs}, an email with the links is on its way.`)
      .first()
      .waitFor()
    return page
  }

  it('show a visitor their existing appointment, and offer to send its links again', async () => {
    const page = await bookTwice('twice@example.org')
    await expectNoBarriers(page)
    const [_first, mail] = await mailsTo(site.holdfast, 'twice@example.org')
    expect(mail!.subject).toMatch(/^Reminder: your appointment, .*10:00/)
    await page.getByRole('button', { name: 'See all times' }).click()
    await time(page, /11:00/).waitFor()
    await page.goto(/http:\S+\/move\/[\w.-]+/.exec(mail!.text)![0])
    await page.getByRole('button', { name: /^11:00/ }).click()
    await page.getByRole('button', { name: 'Reschedule appointment' }).click()
    await page.getByRole('heading', { name: 'Your appointment has been rescheduled' }).waitFor()
    await page.getByRole('region', { name: 'Add to calendar' }).waitFor()
  })

  it('do the same without JavaScript', async () => {
    const page = await bookTwice('plain-twice@example.org', 'p**********@e******.org', false)
    await page
      .getByRole('button', { name: /^11:00/ })
      .first()
      .waitFor()
    expect(await mailKindsTo(site.holdfast, 'plain-twice@example.org')).toEqual(['booked', 'reminder'])
  })

  it('offer to reschedule a booking just made on this page', async () => {
    const practice = await openPractice(site, {}, { days: [1], defaultCapacity: 5 })
    const { page } = await visit(site.browser, bookPage(site, practice))
    for (const heading of ['You’re booked', null]) {
      await time(page, /10:00/).click()
      await fillForm(page, { Email: 'here@example.org' })
      await page.getByRole('button', { name: 'Book now' }).click()
      if (!heading) continue
      await page.getByRole('heading', { name: heading }).waitFor()
      await page.getByRole('button', { name: 'Book another appointment' }).click()
    }
    await page.getByRole('alert').getByText('10:00').waitFor()
    await page.getByRole('alert').getByRole('link', { name: 'Reschedule appointment' }).click()
    await page.getByText(/Current appointment: .*\b10:00/).waitFor()
  })
})

it('"With" names the same person in the facts, in the form, in the confirmation, in the email and behind its links', async () => {
  const practice = await openPractice(site)
  const room = await makeRoom(site.holdfast.crm, practice, {
    contact: practice.owner,
    contactProfileReference: (await makeProfile(site.holdfast.crm, practice, practice.owner)).reference,
  })
  await addTimes(site, room, dayIn(1), '09:00', '12:00')
  const { page } = await visit(site.browser, bookPage(site, room))
  const facts = page.locator('holdfast-booking .facts > div').filter({ hasText: /^With/ })
  const who = async () => (await facts.locator('dd').allInnerTexts()).map(text => text.trim())
  await times(page).first().waitFor()
  expect(await who()).toEqual(['Public name'])
  await time(page, '10:00').click()
  await fillForm(page, { Email: 'same@example.org' })
  expect(await who()).toEqual(['Public name'])
  await page.getByRole('button', { name: 'Book now' }).click()
  await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
  expect(new Set(await who())).toEqual(new Set(['Public name']))
  const [mail] = await mailsTo(site.holdfast, 'same@example.org')
  expect(mail!.text).toContain('Public name')
  await page.reload()
  const named = page.getByText('Public name').filter({ visible: true }).first()
  await named.waitFor()
  for (const path of ['cancel', 'move']) {
    await page.goto(new RegExp(`http:\\S+/${path}/[\\w.-]+`).exec(mail!.text)![0])
    await named.waitFor()
  }
  const plain = await visit(site.browser, bookPage(site, room), { javaScriptEnabled: false })
  const fact = plain.page.locator('.head dd', { hasText: 'Public name' })
  await fact.waitFor()
  await plain.page.getByRole('button', { name: '11:00' }).click()
  await plain.page.getByRole('heading', { name: 'Your details' }).waitFor()
  await fact.waitFor()
})

describe('language', () => {
  it('is the Provider’s if the browser’s is not supported', async () => {
    const provider = await makeProvider(site.holdfast.crm, { language: 'fr' })
    await consoleCall(site.holdfast.app, 'PATCH', `/providers/${provider.uuid}`, { language: 'fr' })
    await makeProduct(site.holdfast.crm, provider)
    const resource = await makeResource(site.holdfast.crm, provider)
    const headers = (accepted: string) => ({ headers: { 'accept-language': accepted } })
    const page = (accepted: string) =>
      call(site.holdfast.app, 'GET', `/book/${resource.reference}`, undefined, headers(accepted))
    expect((await page('ja,pl;q=0.8')).text).toContain('<html lang="fr">')
    expect((await page('ja,it;q=0.8')).text).toContain('<html lang="it">')
  })

  it('can be changed without JavaScript', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice), { javaScriptEnabled: false })
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.getByText(/^Zeit in /).waitFor()
    await page.getByRole('button', { name: '10:00' }).first().click()
    await page.getByRole('heading', { name: 'Ihre Angaben' }).waitFor()
  })

  it('of an embedded widget is the Provider’s too, and can be changed by name', async () => {
    const practice = await openPractice(site)
    await change(practice.uuid, { language: 'it' })
    const url = await openHost(
      `<script type="module" src="${site.origin}/widget.js"></script><div lang=""><holdfast-booking resource="${practice.resource}"></holdfast-booking></div>`,
    )
    const { page } = await visitAfresh(site.browser, 'about:blank', { locale: 'ja-JP' })
    await page.goto(url)
    await times(page).first().waitFor()
    await page.getByText('Fuso orario').waitFor()
    // What was chosen stays chosen, and the focus where it was.
    await page.locator(`holdfast-booking [data-day="${dayIn(2)}"]`).click()
    await page.getByLabel('Fuso orario').fill('tokyo')
    await page.getByLabel('Fuso orario').press('Enter')
    const seen = await times(page).allInnerTexts()
    await page.getByLabel('Language').focus()
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByText('Zeitzone').waitFor()
    await soon(() => times(page).allInnerTexts()).toEqual(seen)
    await soon(() => page.getByLabel('Zeitzone').inputValue()).toBe('Tokio (UTC+9)')
    expect(
      await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('part')),
    ).toBe('language')
  })
})

describe('several resources', () => {
  /** Two doctors: one from nine, the other from eleven o'clock. */
  async function doctors() {
    const practice = await openPractice(site, {}, { days: [1], from: '09:00', to: '10:00' })
    await change(practice.uuid, { resourceWord: 'Doctor' })
    const other = await makeResource(site.holdfast.crm, practice, {
      publicName: 'Dr. Berg',
      description: 'Speaks Danish',
    })
    await addTimes(site, { ...practice, resource: other.reference }, dayIn(1), '11:00', '12:00')
    return { practice, other: other.reference }
  }

  it.each([
    ['a host page', (refs: string) => host(refs)],
    ['the hosted page', async (refs: string) => `${site.origin}/book/${refs}`],
    ['the hosted page with ref', async (refs: string) => `${site.origin}/book/${refs.replace(',', '?ref=')}`],
  ])('on %s have the Provider’s own label, and the form says with whom', async (name, open) => {
    const { practice, other } = await doctors()
    const { page, problems } = await visit(site.browser, await open(`${practice.resource},${other}`))
    await soon(() => times(page).allInnerTexts()).toEqual(['09:00', '09:30', '11:00', '11:30'])
    await time(page, '11:00').click()
    await page.getByRole('heading', { name: 'Dr. Berg' }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await page.getByText('Speaks Danish').count()).toBe(0)
    await page.getByLabel('Doctor').selectOption('Dr. Berg')
    await soon(() => times(page).allInnerTexts()).toEqual(['11:00', '11:30'])
    await screenshot(page, `1280-several-${name.split(' ').at(-1)}`)
    await time(page, '11:30').click()
    await fillForm(page, { Email: 'several@example.org' })
    await page.getByText('Speaks Danish').waitFor()
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(problems).toEqual([])
  })

  it('are selected and booked without JavaScript, and the form is about the selected one only', async () => {
    const { practice, other } = await doctors()
    const { page } = await visit(site.browser, `${site.origin}/book/${practice.resource},${other}`, {
      javaScriptEnabled: false,
      viewport: narrow,
    })
    await page.getByRole('button', { name: '11:00' }).waitFor()
    await screenshot(page, '360-several-plain')
    await page.getByRole('link', { name: 'Dr. Berg' }).click()
    const names = await page.getByRole('button').allInnerTexts()
    expect(names.map(text => text.trim().split(/\s/)[0])).toEqual(['11:00', '11:30'])
    await page.getByRole('link', { name: 'Anyone available' }).click()
    await page.getByRole('button', { name: /11:00/ }).click()
    await page.getByRole('heading', { name: 'Dr. Berg' }).waitFor()
    await page.getByText('Speaks Danish').waitFor()
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByText('Enter your first name.').first().waitFor()
    await fillForm(page, { Email: 'plain-several@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect((await mailsTo(site.holdfast, 'plain-several@example.org'))[0]!.text).toContain('Dr. Berg')
  })

  it('are offered only for the products they have', async () => {
    const { practice, other } = await doctors()
    const { uuid } = await makeProduct(site.holdfast.crm, practice, { name: 'Massage' })
    await setChannel(site.holdfast, practice.resourceUuid, { products: [practice.productUuid] })
    const address = `${site.origin}/book/${practice.resource},${other}`
    const { page } = await visit(site.browser, `${address}?resource=${practice.resourceUuid}`)
    await page.getByRole('button', { name: 'Massage' }).click()
    await time(page, /11:00/).waitFor()
    expect(await page.getByLabel('Doctor').count()).toBe(0)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Talk' }).click()
    await page.getByLabel('Doctor').waitFor()
    const plain = await call(site.holdfast.app, 'GET', `/book/${practice.resource},${other}?product=${uuid}`)
    expect(plain.text).not.toContain('Doctor:')
  })

  it('are not found if one of them is unknown', async () => {
    const { practice } = await doctors()
    expect((await call(site.holdfast.app, 'GET', `/book/${practice.resource},unknown`)).status).toBe(404)
  })
})

async function host(refs: string): Promise<string> {
  return openHost(
    `<script type="module" src="${site.origin}/widget.js"></script><holdfast-booking resource="${refs}"></holdfast-booking>`,
  )
}
