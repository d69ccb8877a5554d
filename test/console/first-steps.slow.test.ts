// From a fresh service to a page that can be booked, in the browser and without the API.

import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { inviteAdministrator, inviteOperator } from '../../src/actions/console/login.ts'
import { createDemo } from '../../src/start/demo.ts'
import { countClicks, screenshot, visitAfresh } from '../support/browser.ts'
import { expectNoBarriers, fillForm, openHost, soon, time, times, useSite } from '../support/widget.ts'

const site = await useSite()
// Nothing is there but the tables.
beforeEach(async () => {
  await site.holdfast.query('truncate crm cascade')
})

const sizes = [
  ['1280', { width: 1280, height: 900 }, 'en-GB'],
  ['390', { width: 390, height: 844 }, 'de-DE'],
] as const

const words = {
  'en-GB': {
    welcome: 'Welcome to Holdfast',
    setUp: 'Set up your business',
    explore: 'Explore the demo',
    business: 'Business name',
    owner: 'Your name',
    email: 'Your email',
    next: 'Continue',
    product: 'What can people book?',
    minutes: 'Duration (minutes)',
    team: 'Who can be booked, and where?',
    hours: 'When are you open?',
    look: 'Make it yours',
    done: 'You’re ready to take bookings',
    snippet: 'Code for your website',
  },
  'de-DE': {
    welcome: 'Willkommen bei Holdfast',
    setUp: 'Betrieb einrichten',
    explore: 'Demo ansehen',
    business: 'Name des Betriebs',
    owner: 'Ihr Name',
    email: 'Ihre E-Mail-Adresse',
    next: 'Weiter',
    product: 'Was kann gebucht werden?',
    minutes: 'Dauer (Minuten)',
    team: 'Wer kann gebucht werden, und wo?',
    hours: 'Wann haben Sie geöffnet?',
    look: 'Ihr Erscheinungsbild',
    done: 'Jetzt kann man bei Ihnen buchen',
    snippet: 'Code für Ihre Website',
  },
}

async function paintWorkingWeek(page: Page) {
  const grid = page.getByTestId('week')
  await grid.scrollIntoViewIfNeeded()
  const box = (await grid.boundingBox())!
  // From six to nine in the evening are shown, an hour is 24 pixels high: Monday 8 to Sunday 18.
  await page.mouse.move(box.x + 8, box.y + 2 * 24 + 4)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 8, box.y + 12 * 24 - 4, { steps: 5 })
  await page.mouse.up()
}

async function greet(width: string, options: BrowserContextOptions) {
  const link = await inviteOperator(site.holdfast.service, `operator-${width}@example.org`)
  const visitor = await visitAfresh(site.browser, link, options)
  const clicks = await countClicks(visitor.page)
  await visitor.page.getByRole('button').first().click()
  return { ...visitor, clicks }
}

it.each(sizes)('leads from the login to a booked appointment at %s px', async (width, viewport, locale) => {
  const say = words[locale]
  const { page, problems, clicks } = await greet(width, { viewport, locale })
  await page.getByRole('heading', { name: say.welcome }).waitFor()
  // Without a demo there is nothing to explore.
  expect(await page.getByRole('button', { name: say.explore }).count()).toBe(0)
  await page.getByRole('button', { name: say.setUp }).click()
  await firstBusiness(page, say, width)
  await soon(() => page.getByRole('heading', { name: say.done }).isVisible()).toBe(true)
  // The link's button, the choice, four times on, one stroke over the week, one more person, and save.
  expect(await clicks()).toBeLessThanOrEqual(9)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expectNoBarriers(page)
  await screenshot(page, `start-done-${width}`)
  const snippet = await page.getByLabel(say.snippet, { exact: true }).inputValue()
  expect(snippet).toContain('<holdfast-booking business="harbour-practice">')
  await page.frameLocator('iframe').locator('holdfast-booking').first().waitFor()
  expect(problems).toEqual([])
  // Hours that were painted once are everyone's, on the owner's website and on the page itself.
  await page.goto(await openHost(snippet))
  await bookWith(page, 'Ben Winter')
  await page.goto(`${site.origin}/book/harbour-practice?lang=en`)
  await bookWith(page, 'Dr. Anna Berg')
})

type Words = (typeof words)['en-GB']

async function firstBusiness(page: Page, say: Words, width: string) {
  await page.getByLabel(say.business).waitFor()
  await expectNoBarriers(page)
  await screenshot(page, `start-business-${width}`)
  const next = page.getByRole('button', { name: say.next, exact: true })
  const place = await next.boundingBox()
  // The field to begin with has the focus, and the button is where it was.
  const isReady = async (field: Locator) => {
    await soon(() => field.evaluate(one => one === document.activeElement)).toBe(true)
    expect(await next.boundingBox()).toEqual(place)
  }
  await isReady(page.getByLabel(say.business))
  await page.keyboard.type('Harbour Practice')
  await page.reload()
  await isReady(page.getByLabel(say.business))
  expect(await page.getByLabel(say.business).inputValue()).toBe('Harbour Practice')
  await page.getByLabel(say.owner).fill('Anna Berg')
  await page.getByLabel(say.email).fill(`anna-${width}@example.org`)
  await next.click()
  await page.getByRole('heading', { name: say.product }).waitFor()
  await isReady(page.getByLabel('Name'))
  await page.keyboard.type('First talk')
  await page.getByLabel(say.minutes).fill('45')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: say.team }).waitFor()
  await isReady(page.getByLabel('Name', { exact: true }))
  // What was entered can be corrected, and is not created a second time.
  await page.goBack()
  await isReady(page.getByLabel('Name'))
  expect(await page.getByLabel('Name').inputValue()).toBe('First talk')
  await page.goBack()
  await isReady(page.getByLabel(say.business))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: say.product }).waitFor()
  await page.getByLabel(say.minutes).fill('30')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: say.team }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Dr. Anna Berg')
  await page.getByRole('button', { name: /^(Add another|Weitere hinzufügen)$/ }).click()
  await page.getByLabel('Name 2').fill('Ben Winter')
  await expectNoBarriers(page)
  await screenshot(page, `start-team-${width}`)
  await page.getByRole('button', { name: say.next, exact: true }).click()
  await page.getByRole('heading', { name: say.hours }).waitFor()
  // It can be left and resumed.
  await page.reload()
  await page.getByRole('heading', { name: say.hours }).waitFor()
  await page.getByTestId('week').waitFor()
  await isReady(page.getByRole('button', { name: /^(Use Monday|Montag bis Freitag)/ }))
  await paintWorkingWeek(page)
  await expectNoBarriers(page)
  await screenshot(page, `start-hours-${width}`)
  await page.getByRole('button', { name: say.next, exact: true }).click()
  await page.getByRole('heading', { name: say.look }).waitFor()
  await isReady(page.locator('input[type=color]'))
  await expectNoBarriers(page)
  await screenshot(page, `start-look-${width}`)
  await page.getByRole('button', { name: say.next, exact: true }).click()
}

it.each(sizes)('offers both choices beside the demo at %s px', async (width, viewport, locale) => {
  await createDemo(site.holdfast.service)
  const say = words[locale]
  const { page } = await greet(width, { viewport, locale, colorScheme: 'dark' })
  await page.getByRole('heading', { name: say.welcome }).waitFor()
  await expectNoBarriers(page)
  await screenshot(page, `start-welcome-${width}`)
  await page.getByRole('button', { name: say.explore }).click()
  await page.getByRole('link', { name: say.setUp }).waitFor()
  await screenshot(page, `start-demo-${width}`)
  // The choice is remembered, and the way to a business of one's own stays in sight.
  await page.reload()
  await page.getByRole('link', { name: say.setUp }).click()
  await page.getByLabel(say.business).fill('Own Practice')
  await page.getByLabel(say.owner).fill('Anna Berg')
  await page.getByLabel(say.email).fill(`own-${width}@example.org`)
  await page.getByRole('button', { name: say.next, exact: true }).click()
  await page.getByRole('heading', { name: say.product }).waitFor()
  const rows = await site.holdfast.query(
    `select crm.name from provider join crm on crm.id = crm_id where provider.name = 'Own Practice'`,
  )
  expect(rows).toEqual([{ name: 'main' }])
})

it('takes several services with prices, and books each for exactly its duration', async () => {
  await site.holdfast.query(`insert into crm (name) values ('clinic')`)
  const link = await inviteAdministrator(site.holdfast.service, 'clinic', 'ada@clinic.test', 'Ada Admin')
  const { page, problems } = await visitAfresh(site.browser, link, {
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
  })
  await page.getByRole('button').first().click()
  await page.getByRole('button', { name: 'Set up your business' }).click()
  await page.getByLabel('Business name').fill('Physio')
  const next = page.getByRole('button', { name: 'Continue' })
  await next.click()
  await page.getByLabel('Name', { exact: true }).fill('Physiotherapy')
  await page.getByLabel('Duration (minutes)', { exact: true }).fill('20')
  await page.getByLabel('Price (optional)', { exact: true }).fill('€32')
  await page.getByRole('button', { name: 'Add another' }).click()
  // The new row has the focus.
  await page.keyboard.type('Massage')
  await page.getByLabel('Duration 2 (minutes)').fill('0')
  await expectNoBarriers(page)
  await next.click()
  // The first service is saved, and is not created again; the second is refused at its field and can be put right.
  await soon(() => page.getByLabel('Duration 2 (minutes)').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Duration 2 (minutes)').fill('30')
  await next.click()
  await page.getByRole('heading', { name: 'Who can be booked, and where?' }).waitFor()
  await next.click()
  await page.getByRole('button', { name: /^Use Monday to Friday/ }).click()
  await next.click()
  await page.getByRole('heading', { name: 'Make it yours' }).waitFor()
  // An undo would concern one person only, although the whole team has these hours.
  expect(await page.locator('.toast').count()).toBe(0)
  // The preview shows the colour before it is saved.
  const previewed = () =>
    page
      .frameLocator('iframe')
      .locator('holdfast-booking')
      .evaluate(one => getComputedStyle(one).getPropertyValue('--holdfast-fill').trim())
  const usual = 'light-dark(#0b6e69, #5cc4bc)'
  await soon(previewed).toBe(usual)
  await page.getByLabel('Colour').fill('#7a1f5c')
  await soon(previewed).toBe('#7a1f5c')
  await page.getByRole('button', { name: 'Use the default colour' }).click()
  await soon(previewed).toBe(usual)
  await next.click()
  await page.getByRole('link', { name: 'Add descriptions and more services' }).waitFor()
  await page.goto(`${site.origin}/book/physio?lang=en`)
  await page.getByRole('button', { name: /Physiotherapy.*€32/ }).waitFor()
  await page.getByRole('button', { name: /Massage/ }).click()
  // Whichever is next: today's may be over.
  await times(page).first().click()
  const span = await page
    .getByText(/^\d\d:\d\d – \d\d:\d\d$/)
    .first()
    .innerText()
  const [start, end] = span.split(' – ').map(clock => Date.parse(`1970-01-01T${clock}Z`))
  expect(end! - start!).toBe(30 * 60_000)
  // The refused service, and nothing else.
  expect(problems).toEqual([expect.stringContaining('400')])
})

it('keeps the buttons of Today in one row after the welcome page', async () => {
  await createDemo(site.holdfast.service)
  const { page } = await greet('1366', { viewport: { width: 1366, height: 768 }, locale: 'en-GB' })
  await page.getByRole('button', { name: 'Explore the demo' }).click()
  const names = ['Previous day', 'Tomorrow', 'Next day']
  const boxes = await Promise.all(names.map(name => page.getByRole('button', { name }).boundingBox()))
  expect(new Set(boxes.map(box => box!.y)).size).toBe(1)
})

it('lets an administrator add a second business', async () => {
  await site.holdfast.query(`insert into crm (name) values ('clinic')`)
  const link = await inviteAdministrator(site.holdfast.service, 'clinic', 'ada@clinic.test', 'Ada Admin')
  const { page } = await visitAfresh(site.browser, link)
  await page.getByRole('button').first().click()
  await page.getByRole('button', { name: 'Set up your business' }).click()
  for (const name of ['North', 'South']) {
    await page.getByLabel('Business name').fill(name)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'What can people book?' }).waitFor()
    if (name === 'North') await page.getByRole('link', { name: 'Add a business' }).click()
  }
  await soon(() => page.getByLabel('Business').locator('option').count()).toBe(2)
  expect(await page.getByLabel('Business').locator('option:checked').textContent()).toBe('South')
})

it('does not suggest the placeholder of the first operator as the owner', async () => {
  const printed = await createDemo(site.holdfast.service)
  const login = printed.join(' ').match(/http\S+\/console\/login\/\S+/)![0]
  const { page } = await visitAfresh(site.browser, login)
  await page.getByRole('button').first().click()
  await page.getByRole('button', { name: 'Set up your business' }).click()
  expect(await page.getByLabel('Your name').inputValue()).toBe('')
  expect(await page.getByLabel('Your email').inputValue()).toBe('')
  // A missing value is reported at its field, which gets the focus.
  await page.getByLabel('Business name').fill('Own Practice')
  await page.getByRole('button', { name: 'Continue' }).click()
  await soon(() => page.evaluate(() => document.activeElement!.ariaInvalid)).toBe('true')
  expect(await page.getByLabel('Your name').evaluate(one => one === document.activeElement)).toBe(true)
  expect(await page.locator('.toast').count()).toBe(0)
})

describe('the team', () => {
  const namesOf = (page: Page) => page.getByRole('textbox', { name: /^Name/ })
  const emailsOf = (page: Page) => page.getByRole('textbox', { name: /^Email/ })
  const isFocused = (place: Locator) =>
    soon(() => place.evaluate(one => one === document.activeElement)).toBe(true)

  async function openTeam() {
    await site.holdfast.query(`insert into crm (name) values ('clinic')`)
    const link = await inviteAdministrator(site.holdfast.service, 'clinic', 'ada@clinic.test', 'Ada Admin')
    const { page } = await visitAfresh(site.browser, link)
    await page.getByRole('button').first().click()
    await page.getByRole('button', { name: 'Set up your business' }).click()
    await page.getByLabel('Business name').fill('Clinic')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'What can people book?' }).waitFor()
    await page.getByLabel('Name').fill('Massage')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Who can be booked, and where?' }).waitFor()
    return page
  }

  it('says which entry is wrong, and hands over every link although one failed at first', async () => {
    const page = await openTeam()
    const more = page.getByRole('button', { name: 'Add another' })
    for (const [index, name] of ['Ben Carter', 'Chiara Rossi'].entries()) {
      await more.click()
      await isFocused(namesOf(page).nth(index + 1))
      await page.keyboard.type(name)
    }
    await emailsOf(page).nth(1).fill('ben@clinic.test')
    await emailsOf(page).nth(2).fill('chiara@')
    await page.getByRole('button', { name: 'Continue' }).click()
    await isFocused(emailsOf(page).nth(2))
    expect(await emailsOf(page).nth(2).getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('.toast').count()).toBe(0)
    await emailsOf(page).nth(2).fill('chiara@clinic.test')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Link for Chiara Rossi', { exact: true }).waitFor()
    expect(await page.getByLabel('Link for Ben Carter', { exact: true }).inputValue()).toContain('/login/')
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
  })

  it('asks for the name of a person who has only an email address', async () => {
    const page = await openTeam()
    await page.getByRole('button', { name: 'Add another' }).click()
    await emailsOf(page).nth(1).fill('ben@clinic.test')
    await page.getByRole('button', { name: 'Continue' }).click()
    await isFocused(namesOf(page).nth(1))
    expect(await namesOf(page).nth(1).getAttribute('aria-invalid')).toBe('true')
  })
})

async function bookWith(page: Page, person: string) {
  await times(page).first().waitFor()
  const people = page.locator('holdfast-booking').getByLabel('With')
  expect(await people.locator('option').allTextContents()).toEqual([
    'Anyone available',
    'Ben Winter',
    'Dr. Anna Berg',
  ])
  await people.selectOption({ label: person })
  await time(page, /./).first().click()
  await fillForm(page)
  await page.getByRole('button', { name: /^Book/ }).click()
  await soon(() =>
    page
      .locator('holdfast-booking')
      .getByText(/booked|confirmed/i)
      .count(),
  ).toBeGreaterThan(0)
}
