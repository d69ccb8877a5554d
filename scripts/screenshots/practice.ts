// A practice in full swing: six people, 240 bookings in five days, long names, and all that does not go as planned.

import type { Page } from 'playwright-core'
import { book, makePractice, type Practice, team } from '../front-desk/practice.ts'

const day = 86_400_000
const dateIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10)
const starts = ['08:00', '08:45', '09:30', '10:15', '11:00', '13:00', '14:00', '15:15']
const longNames = [
  'Maximiliane-Charlotte von Hohenstein-Wittgenstein',
  'Konstantinos Papadimitriou-Chatzigeorgiou',
  'María de los Ángeles Fernández-Castañeda',
]

/** Makes it the business that the console shows. */
export async function fillPractice(page: Page): Promise<Practice> {
  const practice = await makePractice(page, team.slice(0, 5))
  const { send, at, provider, people, customers } = practice
  for (const name of longNames) {
    const email = `${name.split(' ')[0]!.toLowerCase().replace('í', 'i')}@example.org`
    const note = 'Needs the ground floor. Please call one day before, the daughter comes along.'
    customers.unshift(
      await send('POST', `${at}/customers`, { name, email, mobile: '+49 40 1234567890', note }),
    )
  }
  for (const days of [0, 1, 2, 3, 4]) await fillDay(practice, dateIn(days), days)
  await send('POST', `/resources/${people[3]!.uuid}/blocks`, {
    from: `${dateIn(0)}T12:00`,
    to: `${dateIn(0)}T13:00`,
    reason: 'Team meeting',
  })
  const closure = { reason: 'Company holiday', resources: null }
  await send('POST', `${at}/closures`, { ...closure, from: dateIn(9), to: dateIn(11) })
  await markToday(practice, provider.uuid)
  return practice
}

/** 40 appointments and a class of eight. */
async function fillDay(practice: Practice, date: string, days: number) {
  const { people, customers, physio, massage, yoga, teacher } = practice
  let next = days * 7
  const who = () => customers[next++ % customers.length]!.uuid
  for (const [place, person] of people.entries())
    for (const [index, from] of starts.entries()) {
      const isLong = (index + place) % 3 === 2
      await book(practice, {
        day: date,
        from,
        minutes: isLong ? 45 : index === 4 ? 15 : 30,
        resource: person.uuid,
        product: isLong ? massage.uuid : physio.uuid,
        customer: who(),
        ...(index === 1 ? { notes: 'Brings the X-ray pictures and the referral' } : {}),
      })
    }
  for (let place = 0; place < 8; place++)
    await book(practice, {
      day: date,
      from: '18:00',
      minutes: 60,
      resource: teacher.uuid,
      product: yoga.uuid,
      customer: customers[(place * 4 + 1) % customers.length]!.uuid,
    })
}

/** Some have arrived, one has not come. */
async function markToday({ send }: Practice, provider: string) {
  const { entries } = await send('GET', `/providers/${provider}/diary?from=${dateIn(0)}`)
  for (const [index, entry] of entries.slice(0, 9).entries())
    await send('POST', `/participations/${entry.people[0].uuid}/attendance`, {
      attendance: index === 3 ? 'MISSED' : 'ATTENDED',
    })
}
