// Every step of a booking, at every width and in both schemes, for people to look at: SCREENSHOTS=1. And what a machine can
// see of it: nothing sticks out at the side.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { screenshot, visit } from '../support/browser.ts'
import { makeProduct, makeRoom } from '../support/build.ts'
import { consoleCall } from '../support/service.ts'
import { addTimes, bookPage, dayIn, openPractice, type Site, time, useSite } from '../support/widget.ts'

const widths = [320, 360, 768, 1280] as const
const looks = [
  { language: 'de', colorScheme: 'light' },
  { language: 'fr', colorScheme: 'dark' },
] as const

describe.skipIf(!process.env.SCREENSHOTS)('every screen', () => {
  let site: Site
  beforeAll(async () => {
    site = await useSite()
  })

  /** With all that can make a page long: two Products, terms, an address, descriptions, places to fill. */
  async function wordyPractice() {
    const practice = await openPractice(site, {
      name: 'Gemeinschaftspraxis am Hafenkrankenhaus',
      phone: '+49 40 1',
    })
    await consoleCall(site.test.app, 'PATCH', `/providers/${practice.uuid}`, {
      privacyUrl: 'https://example.org/privacy',
      terms: 'Bitte pünktlich kommen.',
      termsRequired: true,
    })
    const description = 'Bitte Versichertenkarte und Überweisung mitbringen.'
    const { crm } = site.test
    await makeProduct(crm, practice, {
      reference: practice.product,
      name: 'Vorsorgeuntersuchung',
      description,
    })
    await makeProduct(crm, practice, { name: 'Impfberatung', minDuration: 60 })
    const address = { street: 'Zirkusweg', number: '11', zip: '20359', city: 'Hamburg' }
    const room = await makeRoom(crm, practice, { publicName: 'Dr. Anna-Katharina Oberhuber', address })
    for (const day of [1, 2]) await addTimes(site, room, dayIn(day), '08:00', '19:00', { defaultCapacity: 9 })
    return room
  }

  const sticksOut = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

  it.each(looks)('in $language, $colorScheme', async ({ language, colorScheme }) => {
    const room = await wordyPractice()
    for (const width of widths) {
      const viewport = { width, height: width < 600 ? 740 : 900 }
      const { page } = await visit(site.browser, bookPage(site, room, `?lang=${language}`), {
        viewport,
        colorScheme,
      })
      const shoot = async (name: string) => {
        expect([name, width, await sticksOut(page)]).toEqual([name, width, 0])
        await screenshot(page, `all-${language}-${colorScheme}-${width}-${name}`)
      }
      const submit = page.locator('holdfast-booking [part="submit"]')
      await page.locator('holdfast-booking [part="product"]').first().waitFor()
      await shoot('1-product')
      await page.locator('holdfast-booking [part="product"]').first().click()
      await time(page, /^10:00/).waitFor()
      await shoot('2-times')
      await time(page, /^10:00/).click()
      await submit.click()
      await page.locator('holdfast-booking .error').first().waitFor()
      await shoot('3-form')
      for (const [name, value] of Object.entries({
        firstname: 'Ann',
        lastname: 'Winter',
        email: `w${width}${language}@example.org`,
      }))
        await page.locator(`holdfast-booking [name="${name}"]`).fill(value)
      await page.locator('holdfast-booking [name="agreed"]').check()
      await submit.click()
      await page.locator('holdfast-booking [part~="done"]').waitFor()
      await shoot('4-done')
    }
  })
})
