import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { consolePage } from '../support/console-page.ts'
import { dayIn, openPractice, soon, useSite } from '../support/widget.ts'

// A day and a week that are far longer than the screen: only what is near is drawn, paper shows everything.

const site = await useSite()
const practice = await openPractice(site)
const tomorrow = dayIn(1)
const count = 300

await site.holdfast.query(
  `with rooms as (
     insert into resource (provider_id, reference, public_name, internal_name)
     select provider_id, 'long-' || number, 'Room ' || to_char(number, 'FM000'), 'Room ' || to_char(number, 'FM000')
     from resource, generate_series(1, $2::int) as number where uuid = $1 returning id, provider_id, public_name
   ), appointments as (
     insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from, blocked_to,
       capacity, accept_bookings)
     select provider_id, id, (select id from product where uuid = $4), 'long-' || public_name, 'provider', at, at + interval '30 minutes',
       at, at + interval '30 minutes', 1, false
     from rooms, lateral (select $3::timestamptz + right(public_name, 3)::int * interval '1 minute' as at) as times
     returning id, provider_id, reference
   )
   insert into participation (provider_id, appointment_id, reference, name, email, state)
   select provider_id, id, reference, replace(reference, 'long-Room', 'Guest'), 'guest@example.org', 'BOOKED' from appointments`,
  [practice.resourceUuid, count, `${tomorrow}T08:00Z`, practice.productUuid],
)

async function at(path: string): Promise<Page> {
  const { page } = await consolePage(site, practice.owner, path)
  return page
}

describe('a long table', () => {
  it('of a day draws the rows near the screen, all of them on paper, and keeps the focused row', async () => {
    const page = await at(`/?day=${tomorrow}`)
    const table = page.locator('table.today')
    const rows = table.locator('tbody tr[aria-rowindex]')
    await page.getByText('Guest 001').waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe(String(count + 1))
    await soon(() => rows.count()).toBeLessThan(130)
    expect(await page.getByText('Guest 300').count()).toBe(0)
    await page.getByRole('link', { name: 'Guest 001' }).focus()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.getByText('Guest 300').waitFor()
    await soon(() => rows.count()).toBeLessThan(170)
    expect(await rows.last().getAttribute('aria-rowindex')).toBe(String(count + 1))
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Guest 001')
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    expect(await rows.count()).toBe(count)
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await soon(() => rows.count()).toBeLessThan(170)
  })

  it('of a week draws the Resources near the screen', async () => {
    const page = await at(`/calendar?view=week&day=${tomorrow}`)
    const rows = page.locator('.week-table tbody tr[aria-rowindex]')
    await page.locator('.entry-mark', { hasText: 'Guest 001' }).waitFor()
    await soon(() => rows.count()).toBeLessThan(80)
    await page.locator('.week-frame').evaluate(frame => frame.scrollTo(0, frame.scrollHeight))
    await page.locator('.entry-mark', { hasText: 'Guest 300' }).waitFor()
    await soon(() => rows.count()).toBeLessThan(80)
  })

  it('of a day by Resource shows some columns at a time', async () => {
    const page = await at(`/calendar?view=day&day=${tomorrow}`)
    await page.locator('.entry-mark', { hasText: 'Guest 001' }).waitFor()
    expect(await page.locator('.calendar').getByText('Room 021').count()).toBe(0)
    await page.getByRole('button', { name: 'Next people or rooms' }).click()
    await page.getByText('21 – 40 of 301').waitFor()
    await page.locator('.entry-mark', { hasText: 'Guest 021' }).waitFor()
  })
})
