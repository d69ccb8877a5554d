// People on the waiting list, and what a test asks about them.

import { runWaitingList } from '../../src/actions/scheduling/waiting/search.ts'
import { makeCustomer, makeRoom, makeTimeslot, type Practice, unique } from './build.ts'
import { asConsumer, bookingOf, newPerson, overApp, slotsOf } from './consumer.ts'
import { mailsTo } from './mailbox.ts'
import type { Answer, TestService } from './service.ts'

type Body = Record<string, Answer['body']>

/** What people can do at one practice. The day of its Timeslots is a Monday. */
export function waitingAt(holdfast: TestService, practice: Practice) {
  const consumer = asConsumer(overApp(holdfast.app))
  const list = `${practice.path}/waiting_list`

  async function room(fields: Body = {}) {
    const place = await makeRoom(holdfast.crm, practice)
    const slot = { start: '2030-01-07T08:00', end: '2030-01-07T10:00', ...fields }
    await makeTimeslot(holdfast.crm, place, slot)
    return place
  }

  async function wait(where: Practice, fields: Body = {}) {
    const email = `${unique('waiter').replace('@plat', '')}@example.org`
    const customer = await makeCustomer(holdfast.crm, practice, { email })
    const { status, body } = await holdfast.crm.post(list, {
      customerReference: customer.customerReference,
      productReference: practice.product,
      resourceReferences: [where.resource],
      from: '2030-01-07',
      to: '2030-01-11',
      ...fields,
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return { email, uuid: body.entry.uuid as string, customer: customer.customerReference }
  }

  async function bookAll(where: Practice) {
    const booked = []
    for (const slot of slotsOf(await consumer.list(where.resource))) {
      const { status, body } = await consumer.complete(where.resource, bookingOf(slot, newPerson()))
      if (status !== 201) throw new Error(JSON.stringify(body))
      booked.push(body.createdAppointment)
    }
    return booked as Body[]
  }

  const entry = async (uuid: string): Promise<Body> => (await holdfast.crm.get(`${list}/${uuid}`)).body.entry
  const linkIn = (text: string, path: string) =>
    new RegExp(`https?://\\S+(/${path}/[A-Za-z0-9_.-]+)`).exec(text)![1]!

  return {
    list,
    consumer,
    room,
    wait,
    bookAll,
    entry,
    offers: async (uuid: string) =>
      (await entry(uuid)).offers.map((one: Body) => [one.start, one.outcome ?? 'OPEN']) as [string, string][],
    free: async (where: Practice) =>
      slotsOf(await consumer.list(where.resource)).map(one => one.start.slice(11, 16)),
    offerPath: async (email: string) => {
      const mails = (await mailsTo(holdfast, email)).filter(one => one.kind === 'offer')
      return linkIn(mails.at(-1)!.text, 'offer')
    },
    linkIn,
    /** An offer whose email is still queued is not ended as unanswered. */
    sendEmails: () => holdfast.query(`update mail set state = 'sent' where state = 'queued'`),
    job: () => runWaitingList(holdfast.service),
  }
}
