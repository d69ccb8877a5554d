// The clock of the machine is set by hours while sessions, holds, codes, links and limits are alive.

import { TOTP } from 'otpauth'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { inviteOperator, logInByLink } from '../../src/actions/console/login.ts'
import { makePractice, makeTimeslot } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { asInvited, tokenOf } from '../support/logins.ts'
import { bookAt, pathOf } from '../support/moves.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService({ TRUST_PROXY: '127.0.0.1' })
const consumer = asConsumer(overApp(holdfast.app))
const hour = 3_600_000
const realNow = Date.now.bind(Date)

/** Moves the clocks of the machine and its database. */
function setClock(hours: number) {
  holdfast.clock.shiftMs = hours * hour
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + hours * hour)
}
beforeEach(() => setClock(0))

const password = 'correct horse battery'

async function newLogin(email: string) {
  const link = await inviteOperator(holdfast.service, email)
  const ask = await asInvited(holdfast, link)
  return { link, ask, isOpen: async () => (await ask('GET', '/session')).status === 200 }
}

const logIn = (email: string, address: string, given: object = {}) =>
  call(
    holdfast.app,
    'POST',
    '/console/api/session/password',
    { email, password, ...given },
    {
      headers: { 'x-forwarded-for': address },
    },
  )

async function freeSlot() {
  const practice = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, practice)
  const [slot] = slotsOf(await consumer.list(practice.resourceUuid))
  return slot!
}

describe('a clock that was ahead and is set back', () => {
  it('leaves no session without an end', async () => {
    setClock(10)
    const { isOpen } = await newLogin('ahead@example.org')
    setClock(0)
    expect(await isOpen()).toBe(true)
    setClock(14 * 24 + 11)
    expect(await isOpen()).toBe(false)
  })

  it('does not sell a held slot twice, and its holder can book it', async () => {
    const slot = await freeSlot()
    setClock(5)
    const held = await consumer.reserve(slot.resource_uuid, holdOf(slot))
    setClock(0)
    expect((await consumer.reserve(slot.resource_uuid, holdOf(slot))).status).toBe(412)
    expect((await consumer.complete(slot.resource_uuid, bookingOf(slot, newPerson()))).status).toBe(412)
    const placeholder_id = held.body.participation.customer_uuid
    const booked = await consumer.complete(slot.resource_uuid, {
      ...bookingOf(slot, newPerson()),
      placeholder_id,
    })
    expect(booked.status).toBe(201)
  })

  it('accepts no code of the authenticator app that is older than the last one; a recovery code works', async () => {
    const email = 'codes@example.org'
    const { ask } = await newLogin(email)
    await ask('PUT', '/session/password', { password })
    setClock(1)
    const totp = new TOTP({ secret: (await ask('POST', '/session/totp')).body.secret })
    const { body } = await ask('POST', '/session/totp/confirm', { code: totp.generate() })
    setClock(0)
    expect((await logIn(email, '198.51.100.1', { code: totp.generate() })).status).toBe(401)
    expect((await logIn(email, '198.51.100.1', { code: body.recoveryCodes[0] })).status).toBe(204)
    setClock(2)
    expect((await logIn(email, '198.51.100.1', { code: totp.generate() })).status).toBe(204)
  })

  it('does not make a used link work again', async () => {
    setClock(1)
    const { link } = await newLogin('used@example.org')
    setClock(-1)
    expect(await logInByLink(holdfast.service, tokenOf(link))).toBeNull()
  })

  it('waits for a positive time, at most as long as the limit lasts', async () => {
    for (const hours of [5, -5, 0]) {
      setClock(hours)
      let answer = await logIn('nobody@example.org', '198.51.100.2')
      for (let tries = 0; tries < 60 && answer.status !== 429; tries++)
        answer = await logIn('nobody@example.org', '198.51.100.2')
      const seconds = Number(answer.headers['retry-after'])
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(3600)
    }
  })
})

describe('a clock that is set forward and back', () => {
  it('does not sell a slot twice whose hold ended meanwhile', async () => {
    const slot = await freeSlot()
    const held = await consumer.reserve(slot.resource_uuid, holdOf(slot))
    setClock(1)
    await bookAt(consumer, slot)
    setClock(0)
    const placeholder_id = held.body.participation.customer_uuid
    const late = await consumer.complete(slot.resource_uuid, {
      ...bookingOf(slot, newPerson()),
      placeholder_id,
    })
    expect(late.status).toBe(412)
  })

  it('opens no link after its end', async () => {
    const slot = await freeSlot()
    const { cancelLink } = await bookAt(consumer, slot)
    const status = async () => (await call(holdfast.app, 'GET', pathOf(cancelLink))).status
    setClock((Date.parse(slot.start) - realNow()) / hour + 24)
    expect(await status()).not.toBe(200)
    setClock(0)
    expect(await status()).toBe(200)
  })
})
