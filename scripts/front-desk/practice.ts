// A practice with eight people and full days, made through the console’s API.

import type { Page } from 'playwright-core'

export type Practice = Awaited<ReturnType<typeof makePractice>>

const week = ['1', '2', '3', '4', '5']
const slot = { raster: 15 }

/** From this week on, or from the next. */
function everySecond(days: number) {
  return { everyWeeks: 2, weekOf: new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10) }
}

export const team: { name: string; hours: object[] }[] = [
  { name: 'Emma Clarke', hours: [{ weekdays: week, from: '08:00', to: '17:00', ...slot }] },
  { name: 'Tom Becker', hours: [{ weekdays: week, from: '09:00', to: '18:00', ...slot }] },
  {
    name: 'Sofia Marchetti',
    hours: [
      { weekdays: ['1', '3'], from: '08:00', to: '14:00', ...slot },
      { weekdays: ['2', '4'], from: '13:00', to: '20:00', ...slot },
    ],
  },
  { name: 'Jonas Lindqvist', hours: [{ weekdays: week, from: '10:00', to: '19:00', ...slot }] },
  {
    name: 'Claire Dubois',
    hours: [
      { weekdays: ['1', '2', '3'], from: '08:00', to: '16:00', ...slot, ...everySecond(0) },
      { weekdays: ['3', '4', '5'], from: '10:00', to: '18:00', ...slot, ...everySecond(7) },
    ],
  },
  {
    name: 'Mateo García-Hernández',
    hours: [{ weekdays: ['3', '4', '5'], from: '12:00', to: '20:00', ...slot }],
  },
  { name: 'Anna Schmidt-Rottluff', hours: [{ weekdays: week, from: '08:00', to: '13:00', ...slot }] },
]

const first = [
  'Ann',
  'Bob',
  'Cleo',
  'Dan',
  'Eva',
  'Finn',
  'Gina',
  'Hugo',
  'Ida',
  'Jan',
  'Kim',
  'Lea',
  'Max',
  'Nora',
]
const last = ['Winter', 'Reed', 'Young', 'Hartmann', 'Oliveira', 'van der Berg', 'Novak', 'Fischer']

/** `page` is logged in as operator; afterwards the practice is the one that the console shows. */
export async function makePractice(page: Page, colleagues = team) {
  const send = (method: string, path: string, body?: object) =>
    page.evaluate(
      async ([verb, address, text]) => {
        const response = await fetch(`/console/api${address}`, {
          method: verb!,
          headers: text ? { 'content-type': 'application/json' } : {},
          ...(text ? { body: text } : {}),
        })
        const answer = await response.text()
        if (!response.ok) throw new Error(`${verb} ${address}: ${response.status} ${answer}`)
        return answer ? JSON.parse(answer) : null
      },
      [method, path, body ? JSON.stringify(body) : ''],
    )
  const provider = await send('POST', '/providers', {
    name: 'Harbour Physio',
    ownerName: 'Olivia Owen',
    ownerEmail: 'olivia@example.org',
    timeZone: 'Europe/Berlin',
    language: 'en',
  })
  const at = `/providers/${provider.uuid}`
  const product = (name: string, minutes: number, more: object = {}) =>
    send('POST', `${at}/products`, { name, minDuration: minutes, maxDuration: minutes, ...more })
  const [physio, massage, yoga] = [
    await product('Physiotherapy', 30),
    await product('Manual therapy', 45),
    await product('Yoga class', 60, { maxPlaces: 3 }),
  ]
  const people: { uuid: string; name: string }[] = []
  for (const { name, hours } of colleagues) {
    const made = await send('POST', `${at}/resources`, {
      publicName: name,
      products: [physio.reference, massage.reference],
    })
    await send('PUT', `/resources/${made.uuid}/hours`, { rules: hours, hoursWeeks: 26 })
    people.push({ uuid: made.uuid, name })
  }
  const teacher = await send('POST', `${at}/resources`, {
    publicName: 'Yoga with Priya Raman',
    products: [yoga.reference],
  })
  await send('PUT', `/resources/${teacher.uuid}/hours`, {
    rules: [{ weekdays: week, from: '18:00', to: '19:00', raster: 60, capacity: 12 }],
    hoursWeeks: 26,
  })
  const customers: { uuid: string; name: string }[] = []
  for (let index = 0; index < 40; index++) {
    const name = `${first[index % first.length]} ${last[(index * 3) % last.length]}`
    const customer = await send('POST', `${at}/customers`, {
      name,
      email: `${name.toLowerCase().replaceAll(' ', '.')}.${index}@example.org`,
      mobile: `+49 170 ${String(1_000_000 + index * 7919).slice(0, 7)}`,
      ...(index === 3 ? { note: 'Prefers the ground floor: cannot take stairs.' } : {}),
    })
    customers.push({ uuid: customer.uuid, name })
  }
  return { provider, physio, massage, yoga, people, teacher, customers, send, at }
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const clockOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Books without an email. */
export async function book(
  { send, at }: Pick<Practice, 'send' | 'at'>,
  {
    day,
    from,
    minutes,
    resource,
    product,
    customer,
    notes,
  }: {
    day: string
    from: string
    minutes: number
    resource: string
    product: string
    customer?: string
    notes?: string
  },
) {
  const end = clockOf(minutesOf(from) + minutes)
  return send('POST', `${at}/appointments?sendMails=false&ignoreConflicts=true`, {
    resourceUuid: resource,
    productUuid: product,
    start: `${day}T${from}`,
    end: `${day}T${end}`,
    ...(customer ? { customerUuid: customer } : {}),
    ...(notes ? { notes } : {}),
  })
}

/** A Monday with 9 bookings of the first colleague and some of the others, and a class of ten. */
export async function fillDay(practice: Practice, day: string) {
  const { people, customers, physio, massage, yoga, teacher } = practice
  let next = 0
  const who = () => customers[next++ % customers.length]!.uuid
  const times = ['08:00', '08:45', '09:30', '10:15', '11:00', '12:00', '13:30', '14:30', '15:30']
  for (const [index, from] of times.entries())
    await book(practice, {
      day,
      from,
      minutes: index % 3 === 2 ? 45 : 30,
      resource: people[0]!.uuid,
      product: index % 3 === 2 ? massage.uuid : physio.uuid,
      customer: who(),
      ...(index === 1 ? { notes: 'Brings the X-ray pictures' } : {}),
    })
  for (const [person, starts] of [
    [1, ['09:00', '09:30', '10:15', '11:00', '13:30', '14:30']],
    [2, ['08:00', '09:30', '11:00']],
    [3, ['10:15', '11:00', '13:30', '16:00']],
    [4, ['08:45', '09:30', '10:15', '11:00', '13:30']],
    [6, ['08:00', '08:45', '09:30', '10:15', '11:00']],
  ] as [number, string[]][])
    for (const from of starts)
      await book(practice, {
        day,
        from,
        minutes: 30,
        resource: people[person]!.uuid,
        product: physio.uuid,
        customer: who(),
      })
  for (let place = 0; place < 9; place++)
    await book(practice, {
      day,
      from: '18:00',
      minutes: 60,
      resource: teacher.uuid,
      product: yoga.uuid,
      customer: customers[(place * 4 + 1) % customers.length]!.uuid,
    })
}
