import { describe, expect, it } from 'vitest'
import { makeCustomer, makePractice } from '../support/build.ts'
import { expectRefusal } from '../support/refusals.ts'
import { call, consoleToken, useService } from '../support/service.ts'

const holdfast = await useService()
const { crm } = holdfast

const nextOf = (answer: { headers: Record<string, unknown> }) =>
  /^<[^>]*\/crms\/crm([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1]

describe('the list of Customers', () => {
  it('contains the records that single requests return, with odd values too', async () => {
    const practice = await makePractice(crm)
    await makeCustomer(crm, practice)
    const odd = '"\\ \b\f\n\r\t\u0001\u007f\u2028 <b> ä 🙂 \'; -- {},[] null'
    await holdfast.query(
      `insert into customer (provider_id, reference, name, email, note, birth_date, address, insurer, fields, tags, updated_at)
       select id, $2, $2, '', '', '1900-02-28', $3, $2, $4, $5, '2030-01-02T03:04:05.678999Z' from provider where uuid = $1`,
      [
        practice.uuid,
        odd,
        { city: odd, zip: null },
        { 10: odd, a: [1.5, true, null, {}], '': 1e21 },
        [odd, ''],
      ],
    )
    const { text, body } = await crm.get(`${practice.path}/customers`)
    const list = body as { customerReference: string }[]
    expect(list).toHaveLength(2)
    for (const one of list) {
      const path = `${practice.path}/customers/${encodeURIComponent(one.customerReference)}`
      const single = (await crm.get(path)).body.customer
      expect(one).toEqual(single)
      expect(Object.keys(one)).toEqual(Object.keys(single))
    }
    expect(list[1]).toMatchObject({ userName: odd, mobile: null })
    expect(text).toContain('"updatedAt":"2030-01-02T03:04:05.678Z"')
    const paged = (await crm.get(`${practice.path}/customers?limit=1`)).body
    expect(paged).toEqual(list.slice(0, 1))
  })
})

describe('details of a Customer', () => {
  it('are kept, changed one by one, filtered by tag and erased', async () => {
    const practice = await makePractice(crm)
    for (const question of [
      { key: 'allergies', type: 'text', label: { en: 'Allergies' }, maxLength: 20 },
      { key: 'plan', type: 'choice', label: { en: 'Plan' }, options: [{ key: 'a', label: { en: 'A' } }] },
    ]) {
      const made = await crm.post(`${practice.path}/questions`, { ...question, subject: 'customer' })
      expect(made.body.question).toMatchObject({ subject: 'customer', audience: 'staff' })
    }
    const details = {
      birthDate: '1990-02-28',
      address: { street: 'Hauptstraße', number: '1a', city: 'Köln', zip: ' ' },
      insurer: 'AOK',
      insuranceNumber: 'A123456789',
      fields: { allergies: ' nuts ', plan: 'a' },
      tags: ['VIP', ' vip', 'Knee'],
    }
    const { customerReference } = await makeCustomer(crm, practice, details)
    const path = `${practice.path}/customers/${encodeURIComponent(customerReference)}`
    const read = async () => (await crm.get(path)).body.customer
    expect(await read()).toMatchObject({
      ...details,
      address: { street: 'Hauptstraße', number: '1a', city: 'Köln' },
      fields: { allergies: 'nuts', plan: 'a' },
      tags: ['VIP', 'Knee'],
    })
    const changed = await crm.put(path, { fields: { plan: null }, insurer: null })
    expect(changed.body.customer).toMatchObject({
      fields: { allergies: 'nuts' },
      insurer: null,
      tags: ['VIP', 'Knee'],
    })
    expect(
      (await crm.put(path, { birthDate: null, address: { city: '' }, tags: null, fields: null })).body
        .customer,
    ).toMatchObject({ birthDate: null, address: null, tags: [], fields: {}, insuranceNumber: 'A123456789' })
    await crm.put(path, details)
    const other = await makeCustomer(crm, practice, { tags: ['knees'] })
    const found = async (tag: string) =>
      (await crm.get(`${practice.path}/customers?tag=${tag}&limit=5`)).body.map(
        (one: { customerReference: string }) => one.customerReference,
      )
    expect(await found('KNEE')).toEqual([customerReference])
    expect(await found('knees')).toEqual([other.customerReference])
    const { uuid } = await read()
    const asStaff = { headers: { authorization: `Bearer ${consoleToken}` } }
    const record = await call(holdfast.app, 'GET', `/console/customer-record/${uuid}`, undefined, asStaff)
    expect([record.status, record.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(record.text.slice(0, 5)).toBe('%PDF-')
    await crm.delete(path)
    const rows = await holdfast.query(
      `select birth_date, address, insurer, insurance_number, fields, tags from customer
       where provider_id = (select id from provider where uuid = $1) order by id limit 1`,
      [practice.uuid],
    )
    expect(rows[0]).toEqual({
      birth_date: null,
      address: null,
      insurer: null,
      insurance_number: null,
      fields: {},
      tags: [],
    })
  })

  it('are refused with their field if they are wrong', async () => {
    const practice = await makePractice(crm)
    await crm.post(`${practice.path}/questions`, {
      key: 'size',
      type: 'number',
      label: { en: 'Size' },
      max: 3,
      subject: 'customer',
    })
    await crm.post(`${practice.path}/questions`, { key: 'reason', type: 'text', label: { en: 'Reason' } })
    const { customerReference } = await makeCustomer(crm, practice)
    const path = `${practice.path}/customers/${encodeURIComponent(customerReference)}`
    for (const [body, field] of [
      [{ birthDate: '1990-02-30' }, 'birthDate'],
      [{ birthDate: '28.02.1990' }, 'birthDate'],
      [{ address: { town: 'Köln' } }, 'address.town'],
      [{ fields: { size: 4 } }, 'fields.size'],
      [{ fields: { reason: 'x' } }, 'fields.reason'],
      [{ tags: ['x'.repeat(51)] }, 'tags[0]'],
    ] as const)
      expectRefusal(await crm.put(path, body), 400, 'invalid-field', field)
    const asked = await crm.post(`${practice.path}/products`, {
      reference: 'form@plat',
      name: 'Form',
      questions: ['size'],
    })
    expectRefusal(asked, 400, 'invalid-field', 'questions')
    const other = await crm.put(`${practice.path}/questions/size`, { subject: 'booking' })
    expectRefusal(other, 400, 'invalid-field', 'subject')
    const open = {
      key: 'open',
      type: 'text',
      label: { en: 'Open' },
      subject: 'customer',
      audience: 'consumer',
    }
    expectRefusal(await crm.post(`${practice.path}/questions`, open), 400, 'invalid-field', 'audience')
  })
})

describe('duplicate Customers', () => {
  it('are paired with the oldest one, page by page, until they are marked as two people', async () => {
    const practice = await makePractice(crm)
    const make = async (userName: string, fields: object) =>
      (await makeCustomer(crm, practice, { userName, email: null, ...fields })).customerReference
    const born = '1980-05-01'
    const ann = await make('Ann Berg', {
      email: 'family@example.org',
      mobile: '0171 1234567',
      birthDate: born,
    })
    const ben = await make('Ben Berg', { email: 'FAMILY@example.org', mobile: '+49 171 1234567' })
    const cleo = await make('Cleo Berg', { email: 'family@example.org' })
    const same = await make('ann berg', { birthDate: born })
    await make('Ann Berg', { birthDate: '1980-05-02' })
    const number = await make('Dora', { mobile: '0049171/1234567' })
    const list = async (limit: number) => {
      const pages: [string, string, string[]][][] = []
      for (let next: string | undefined = `${practice.path}/duplicate_customers?limit=${limit}`; next; ) {
        const answer = await crm.get(next)
        expect(answer.status).toBe(200)
        pages.push(
          answer.body.map((pair: { customers: { customerReference: string }[]; same: string[] }) => [
            ...pair.customers.map(one => one.customerReference),
            pair.same,
          ]),
        )
        next = nextOf(answer)
      }
      return pages
    }
    const expected = [
      [ann, ben, ['email', 'mobile']],
      [ann, cleo, ['email']],
      [ann, number, ['mobile']],
      [ann, same, ['birthDate']],
    ]
    expect(await list(100)).toEqual([expected])
    expect((await list(1)).flat()).toEqual(expected)
    const mark = `${practice.path}/customers/${encodeURIComponent(ann)}/distinct/`
    for (const one of [cleo, cleo]) expect((await crm.put(mark + encodeURIComponent(one))).status).toBe(204)
    expect((await list(100)).flat()).toEqual([expected[0], [ben, cleo, ['email']], expected[2], expected[3]])
    expect((await crm.delete(mark + encodeURIComponent(cleo))).status).toBe(204)
    expect((await list(100)).flat()).toEqual(expected)
    expectRefusal(await crm.put(mark + encodeURIComponent(ann)), 400, 'invalid-field', 'other')
    expectRefusal(await crm.put(`${mark}missing`), 404, 'not-found')
    for (const after of ['x', Buffer.from('["birthDate",["1980-99-01","a"]]').toString('base64url')])
      expectRefusal(
        await crm.get(`${practice.path}/duplicate_customers?after=${after}`),
        400,
        'invalid-field',
        'after',
      )
    // An erased Customer has no duplicates, and the marks go with it.
    await crm.put(mark + encodeURIComponent(cleo))
    await crm.delete(`${practice.path}/customers/${encodeURIComponent(ann)}`)
    expect((await list(100)).flat()).toEqual([
      [ben, cleo, ['email']],
      [ben, number, ['mobile']],
    ])
  })
})
