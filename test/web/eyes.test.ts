// For other eyes: colours that the system chooses, pages that go from right to left, no motion, and paper.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { screenshot, visit, visitAfresh } from '../support/browser.ts'
import { makeProduct } from '../support/build.ts'
import { addTimes, bookPage, dayIn, fillForm, openPractice, time, times, useSite } from '../support/widget.ts'

const site = await useSite()

describe('visual modes', () => {
  it('show the chosen day, today and free days in forced colours', async () => {
    const practice = await openPractice(site)
    await addTimes(site, practice, dayIn(0), '23:00', '23:30').catch(() => {})
    const { page } = await visit(site.browser, bookPage(site, practice), { forcedColors: 'active' })
    await times(page).first().waitFor()
    const look = (selector: string, pseudo = '') =>
      page
        .locator(`holdfast-booking ${selector}`)
        .first()
        .evaluate((one, part) => {
          const { backgroundColor, borderTopWidth } = getComputedStyle(one, part || null)
          return { backgroundColor, borderTopWidth }
        }, pseudo)
    const plain = await look('.day:not(.free, .picked, [aria-current])')
    const chosen = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.cssText = 'forced-color-adjust: none; background-color: Highlight'
      return getComputedStyle(probe).backgroundColor
    })
    expect(chosen).not.toBe(plain.backgroundColor)
    expect((await look('.picked')).backgroundColor).toBe(chosen)
    expect((await look('.free', '::after')).borderTopWidth).toBe('2px')
    expect((await look('[aria-current]')).borderTopWidth).toBe('3px')
    await screenshot(page, '1280-forced-colours')
  })

  it('keep times and counters readable on right-to-left pages', async () => {
    const practice = await openPractice(site)
    const { page } = await visit(site.browser, bookPage(site, practice))
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect(await times(page).first().locator('bdi').innerText()).toBe('09:00')
    await time(page, '10:00').click()
    // From the left: ten o'clock comes first, and a sentence ends where it should.
    const leftOf = (selector: string, what: RegExp) =>
      page.locator(`holdfast-booking ${selector}`).evaluate((element, pattern) => {
        const text = [...element.childNodes].find(one => new RegExp(pattern).test(one.textContent ?? ''))!
        const range = document.createRange()
        range.selectNode(text)
        return range.getBoundingClientRect().left
      }, what.source)
    expect(await leftOf('.chosen p:first-child bdi', /^10:00/)).toBeLessThan(
      await leftOf('.chosen p:first-child bdi', /^10:30/),
    )
    await page.getByLabel('Message').fill('x'.repeat(819))
    expect(await page.locator('holdfast-booking .counter').count()).toBe(0)
    await page.getByLabel('Message').fill('x'.repeat(900))
    expect(await page.locator('holdfast-booking .counter bdi').innerText()).toBe('900 of 1024 characters')
    await screenshot(page, '1280-rtl-form')
  })
})

describe('reduced motion', () => {
  /** What moves or fades by itself, in the widget and around it. */
  const moving = (page: Page) =>
    page.evaluate(() => {
      const inside = document.querySelector('holdfast-booking')?.shadowRoot?.querySelectorAll('*') ?? []
      return [...document.querySelectorAll('*'), ...inside].filter(one => {
        const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(one)
        return animationName !== 'none' || transitionDuration !== '0s' || scrollBehavior !== 'auto'
      }).length
    })

  it.each([
    ['sees none, from the outline to the confirmation', 'reduce'],
    ['is asked: others see the outline breathe, steps fade and the tick drawn', 'no-preference'],
  ] as const)('%s', async (_name, reducedMotion) => {
    const practice = await openPractice(site)
    const { page } = await visitAfresh(site.browser, 'about:blank', { reducedMotion })
    const arrival = Promise.withResolvers<void>()
    await page.route('**/resources/bundle*', route => arrival.promise.then(() => route.continue()))
    await page.goto(`${site.origin}/demo?ref=${encodeURIComponent(practice.resource)}`)
    await page.locator('holdfast-booking [part="skeleton"]').waitFor()
    const moves = reducedMotion === 'no-preference'
    if (moves) expect(await moving(page)).toBeGreaterThan(0)
    else expect(await moving(page)).toBe(0)
    arrival.resolve()
    await time(page, '10:00').waitFor()
    expect(await moving(page)).toBe(0)
    await time(page, '10:00').click()
    await fillForm(page, { Email: `${reducedMotion}@example.org` })
    expect(await moving(page)).toBe(moves ? 1 : 0)
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    expect(await moving(page)).toBe(moves ? 2 : 0)
  })
})

describe('print', () => {
  /** What, when and where in dark ink on one sheet; nothing to press. */
  async function expectPrintable(page: Page, heading: string, ...more: string[]) {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const shown = page.getByRole('heading', { name: heading })
    await shown.waitFor()
    expect(await shown.evaluate(one => getComputedStyle(one).color)).toBe('rgb(28, 37, 40)')
    const said = (await page.locator('body').innerText()) + (await widgetText(page))
    for (const text of ['Checkup', '10:00', '10:30', 'Berlin time (UTC+1)', 'Harbour Practice', ...more])
      expect(said).toContain(text)
    for (const role of ['button', 'textbox', 'link'] as const)
      expect([role, await page.getByRole(role).filter({ visible: true }).count()]).toEqual([role, 0])
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1)
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  }

  const widgetText = async (page: Page) => {
    const widget = page.locator('holdfast-booking [part="root"]')
    return (await widget.count()) > 0 ? widget.innerText() : ''
  }

  it('shows the confirmation, from the widget and from its page, and the way to cancel', async () => {
    const practice = await openPractice(site)
    const product = { reference: practice.product, name: 'Checkup', description: 'Bring your card.' }
    await makeProduct(site.holdfast.crm, practice, product)
    const { page } = await visitAfresh(site.browser, bookPage(site, practice))
    await time(page, '10:00').click()
    await fillForm(page, { Email: 'paper@example.org' })
    await page.getByRole('button', { name: 'Book now' }).click()
    await page.getByRole('heading', { name: 'You’re booked' }).waitFor()
    const cancel = await page.getByRole('link', { name: 'Cancel appointment' }).getAttribute('href')
    await expectPrintable(page, 'You’re booked', 'Bring your card.')
    await page.reload()
    await expectPrintable(page, 'You’re booked', 'Bring your card.')
    await page.goto(cancel!)
    await expectPrintable(page, 'Cancel appointment')
  })
})
