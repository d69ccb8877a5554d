// One customer, two appointments at the same time: staff see it before they book, and may do it anyway.

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { makeRoom, type Practice } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { consoleCall } from '../support/service.ts'
import { dayIn, openPractice, soon, useSite } from '../support/widget.ts'

const site = await useSite()
const tomorrow = dayIn(1)
let practice: Practice
let roomUuid: string
let customerUuid: string

const send = (method: string, path: string, body?: object) =>
  consoleCall(site.holdfast.app, method, path, body)

const book = (resourceUuid: string, from: string, to: string, query = '') =>
  send('POST', `/providers/${practice.uuid}/appointments${query}`, {
    resourceUuid,
    productUuid: practice.productUuid,
    start: `${tomorrow}T${from}`,
    end: `${tomorrow}T${to}`,
    customerUuid,
  })

beforeEach(async () => {
  practice = await openPractice(site, {}, { days: [1], from: '08:00', to: '18:00' })
  roomUuid = (await makeRoom(site.holdfast.crm, practice)).resourceUuid
  const { body } = await send('POST', `/providers/${practice.uuid}/customers`, { name: 'Mary Evans' })
  customerUuid = body.uuid
})

async function at(path: string): Promise<Page> {
  const { page } = await consolePage(site, practice.owner, path)
  return page
}

describe('booking a customer who is booked elsewhere at that time', () => {
  it('is refused once and done with ignoreConflicts', async () => {
    expect((await book(practice.resourceUuid, '09:00', '10:00')).status).toBe(201)
    const room = '?ignoreConflicts=false'
    const refused = await book(roomUuid, '09:30', '10:30', room)
    expect(refused.status).toBe(409)
    expect(refused.body.errors[0].message).toContain('The Customer is already booked')
    // Right after is no conflict for the customer; the second room has no hours.
    const later = await book(roomUuid, '10:00', '11:00', room)
    expect(later.body.errors[0].message).not.toContain('already booked')
    expect((await book(roomUuid, '09:30', '10:30', '?ignoreConflicts=true')).status).toBe(201)
  })

  it('is refused once when they are added to another appointment', async () => {
    await book(practice.resourceUuid, '09:00', '10:00')
    const other = await send('POST', `/providers/${practice.uuid}/appointments?ignoreConflicts=true`, {
      resourceUuid: roomUuid,
      productUuid: practice.productUuid,
      start: `${tomorrow}T09:00`,
      end: `${tomorrow}T10:00`,
    })
    const path = `/appointments/${other.body.uuid}/participations`
    const refused = await send('POST', path, { customerUuid })
    expect([refused.status, refused.body.errors[0].errorCode]).toEqual([409, 'conflict'])
    expect((await send('POST', `${path}?ignoreConflicts=true`, { customerUuid })).status).toBe(201)
  })

  it('warns in the dialog before anything is sent', async () => {
    await book(practice.resourceUuid, '09:00', '10:00')
    const page = await at(`/customers/${customerUuid}`)
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Day', { exact: true }).fill(tomorrow)
    await dialog.getByLabel('From', { exact: true }).fill('09:00')
    await dialog.getByText('Mary Evans already has an appointment then: 09:00 – 10:00').waitFor()
    await screenshot(page, 'booked-twice', false)
    await soon(() => dialog.getByRole('button', { name: 'Continue anyway' }).count()).toBe(1)
  })
})

it('names customer, day and time before an appointment is cancelled', async () => {
  const { body } = await book(practice.resourceUuid, '09:00', '10:00')
  const page = await at(`/customers/${customerUuid}?appointment=${body.uuid}`)
  await page.getByRole('button', { name: 'Cancel appointment' }).click()
  const dialog = page.getByRole('dialog').last()
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
  await dialog.getByText(day.format(new Date(tomorrow))).waitFor()
  expect(await dialog.textContent()).toContain('Mary Evans')
  expect(await dialog.textContent()).toContain('09:00 – 10:00')
})
