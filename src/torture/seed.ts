// Test data: a few Resources with few slots, so that all clients compete for the same ones.

export const crm = 'torture'
export const apiKey = `hf_torture_${'t'.repeat(32)}`
export const provider = 'practice@torture'
const owner = 'owner@torture'
export const product = 'talk@torture'

/** One place each, and one Resource with three. In the last one the practice has created the Appointments. */
type Room = { reference: string; capacity: number; isOwn?: boolean }

export const resources: Room[] = [
  { reference: 'room-1@torture', capacity: 1 },
  { reference: 'room-2@torture', capacity: 1 },
  { reference: 'room-3@torture', capacity: 3 },
  { reference: 'room-4@torture', capacity: 1, isOwn: true },
]

/** A class so large that its people are counted in advance, with few places left, and a later one to move to. */
export const hall = { reference: 'hall@torture', product: 'class@torture', guests: 210, free: 30 }
export const guestReference = (number: number) => `guest-${number}@torture`

export const providerPath = `/crms/${crm}/provider/${encodeURIComponent(provider)}`
export const asIntegrator = { 'x-service-client-id': apiKey, 'content-type': 'application/json' }

export async function makePractice(origin: string, rooms = resources) {
  const post = async (path: string, body: object) => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: asIntegrator,
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
  const email = 'owner@torture.example'
  await post(`/crms/${crm}/user`, { reference: owner, email, username: 'owner', lastName: 'Berg' })
  await post(`/crms/${crm}/account`, { ownerReference: owner, accountReference: 'a@torture', branch: 'misc' })
  await post(`/crms/${crm}/provider`, {
    reference: provider,
    ownerReference: owner,
    accountReference: 'a@torture',
    name: 'Practice',
    timeZone: 'UTC',
  })
  await post(`${providerPath}/products`, { reference: product, name: 'Talk', maxPlaces: 3 })
  for (const { reference } of rooms)
    await post(`${providerPath}/resources`, { reference, publicName: reference, internalName: reference })
  await post(`${providerPath}/timeslots`, { timeslots: rooms.filter(one => !one.isOwn).map(timeslotOf) })
  for (const own of rooms.filter(one => one.isOwn))
    await post(`${providerPath}/appointments`, appointmentsOf(own))
  if (rooms === resources) await makeHall(post)
}

async function makeHall(post: (path: string, body: object) => Promise<void>) {
  const { reference, product, guests, free } = hall
  await post(`${providerPath}/products`, { reference: product, name: 'Class', maxPlaces: 3 })
  await post(`${providerPath}/resources`, {
    reference,
    publicName: reference,
    internalName: reference,
    products: [product],
  })
  const names = Array.from({ length: guests }, (_, number) => guestReference(number))
  for (const [hour, people] of [
    ['08', names],
    ['12', []],
  ] as const)
    await post(`${providerPath}/appointments`, {
      reference: `class-${hour}@torture`,
      resourceReference: reference,
      productReference: product,
      start: `${day}T${hour}:00Z`,
      end: `${day}T${hour}:30Z`,
      capacity: guests + free,
      acceptBookings: true,
      participations: people.map(name => ({
        reference: name,
        name,
        email: `${name}.example`,
        state: 'BOOKED',
      })),
    })
}

/** The day after tomorrow. */
export const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
const hours = { from: `${day}T08:00Z`, to: `${day}T18:00Z`, raster: 30 }

const appointmentsOf = ({ reference, capacity }: Room) => ({
  resourceReference: reference,
  productReference: product,
  capacity,
  acceptBookings: true,
  // Four Appointments, so that late requests meet existing reservations.
  series_data: { ...hours, to: `${day}T10:00Z` },
})

/** Twenty slots. */
function timeslotOf({ reference, capacity }: Room) {
  return {
    reference: `day-${reference}`,
    resourceReference: reference,
    start: hours.from,
    end: hours.to,
    raster: hours.raster,
    defaultCapacity: capacity,
    defaultAcceptBookings: true,
    state: 'BOOKABLE',
  }
}
