// Visitors and a reader of the event log that follow a CRM to its new installation.

import { asConsumer, bookingOf, overHttp, slotsOf } from './consumer.ts'

/** Follows redirects to the current address of the service. */
export function sender(url: string) {
  let base = url
  return async (method: string, path: string, body?: unknown, options?: object) => {
    const answer = await overHttp(base)(method, path, body, options as never).catch(() => null)
    if (answer?.status === 308) base = new URL(String(answer.headers.location)).origin
    return answer
  }
}

/** Books slot after slot as new people until stopped, and records what was confirmed. */
export function startLoad(url: string, resource: string) {
  const booked: string[] = []
  const send = sender(url)
  let isStopped = false
  let number = 0
  let last = 'nothing yet'
  const bookOne = async () => {
    const consumer = asConsumer(async (...args) => (await send(...args)) ?? ({ status: 0 } as never))
    const list = await consumer.list(resource)
    last = `list: ${list.status}`
    if (list.status !== 200) return pause(50)
    const [slot] = slotsOf(list)
    const email = `p${number++}@load.example`
    // Repeated until there is a response, like a widget does.
    while (!isStopped) {
      const { status, text } = await consumer.complete(resource, bookingOf(slot!, { email }))
      last = `booking: ${status} ${text}`
      if (status === 201) booked.push(email)
      if (status === 201 || status === 412) return
      await pause(50)
    }
  }
  const running = (async () => {
    while (!isStopped) await bookOne()
  })()
  return {
    booked,
    /** The last answer, for when bookings do not go on. */
    last: () => last,
    stop: () => {
      isStopped = true
      return running
    },
  }
}

/** Reads the event log page by page, from the start and across the move. */
export function follow(url: string, crm: string, key: string) {
  const seen: string[] = []
  const send = sender(url)
  let isStopped = false
  void (async () => {
    let after = ''
    while (!isStopped) {
      const path = `/crms/${crm}/events?limit=20${after && `&after=${encodeURIComponent(after)}`}`
      const answer = await send('GET', path, undefined, { headers: { 'x-service-client-id': key } })
      if (answer?.status === 200) {
        seen.push(...answer.body.events.map((event: { id: string }) => event.id))
        after = answer.body.next
      } else if (answer && ![308, 503].includes(answer.status)) throw new Error(answer.text)
      await pause(30)
    }
  })()
  return { seen, stop: () => (isStopped = true) }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
