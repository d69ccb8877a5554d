// The reception in a hurry: names that are too long, a network that fails, a login that ends in the middle of a form.

import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { narrow, visitAfresh, wide } from '../support/browser.ts'
import { makeAppointment, unique } from '../support/build.ts'
import { dayIn, openPractice, useSite } from '../support/widget.ts'

const site = await useSite()
const practice = await openPractice(site)

async function logIn(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const link = await inviteStaff(site.test.service, 'crm', practice.owner)
  const session = (await logInByLink(site.test.service, link.split('/').at(-1)!))!
  const { page, context } = await visitAfresh(site.browser, 'about:blank', options)
  await context.addCookies([{ name: 'holdfast_session', value: session, url: site.origin }])
  await page.goto(`${site.origin}/console${path}`)
  return page
}

const boxOf = async (place: Locator) => (await place.boundingBox())!

it('on a phone whoever has a long name is ticked off without scrolling sideways', async () => {
  const day = dayIn(2)
  const name = 'Anna Oberunterhinterwaldkirchner-Schmidtbauerngruberhofer'
  await makeAppointment(site.test.crm, practice, {
    start: `${day}T10:00`,
    end: `${day}T10:30`,
    participations: [{ reference: unique('p'), name, email: 'anna@example.org', state: 'BOOKED' }],
  })
  const page = await logIn(`?day=${day}`, { viewport: narrow, hasTouch: true })
  await page.getByRole('rowheader', { name }).waitFor()
  const frame = await boxOf(page.locator('.table-frame'))
  for (const button of await page.locator('.came button').all()) {
    const { x, width } = await boxOf(button)
    expect(x + width).toBeLessThanOrEqual(frame.x + frame.width)
  }
})

describe.each([
  ['a desk', wide],
  ['a phone', narrow],
])('on %s', (_, viewport) => {
  it('what failed is said beside the button that tries it again, and not upon it', async () => {
    const page = await logIn('/channels/look', { viewport })
    await page.getByLabel('Name of the business', { exact: true }).fill('Harbour')
    await page.context().setOffline(true)
    onTestFinished(() => page.context().setOffline(false))
    const save = page.locator('.save-bar').getByRole('button', { name: 'Save', exact: true })
    await save.click()
    const toast = page.locator('.toast.bad')
    await toast.waitFor()
    const [said, button] = [await boxOf(toast), await boxOf(save)]
    expect(said.y + said.height).toBeLessThanOrEqual(button.y)
  })
})
