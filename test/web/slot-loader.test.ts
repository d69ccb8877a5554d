// Responses arrive in a different order than their requests.

import { expect, it, vi } from 'vitest'
import type { Listed } from '../../web/shared/list-answer.ts'
import type { Span } from '../../web/shared/slots.ts'
import type { Api } from '../../web/widget/src/api.ts'
import { makeSlotLoader } from '../../web/widget/src/slot-loader.ts'
import { without } from '../../web/widget/src/spans.ts'
import { monthSpan } from '../../web/widget/src/state.ts'
import { makeStore } from '../../web/widget/src/store.ts'

const day = 86_400_000

/** A widget that shows March, and a service that responds when the test decides. */
function scene() {
  const store = makeStore()
  store.set({ zone: 'UTC', month: '2026-03' })
  const requests: { span: Span; answer: (...starts: string[]) => void; shut: () => void }[] = []
  const slots = (span: Span) =>
    new Promise<Listed>(resolve => {
      requests.push({
        span,
        answer: (...starts) => resolve({ visible: true, bookables: starts.map(bookable) }),
        shut: () => resolve({ visible: false, bookables: [] }),
      })
    })
  const whenHidden = vi.fn()
  const loader = makeSlotLoader(store, { slots, isMove: false } as unknown as Api, () => {}, whenHidden)
  const march = monthSpan(store.get())
  const shown = () => store.get().slots.map(one => new Date(one.start).toISOString().slice(5, 13))
  return { store, requests, loader, march, shown, whenHidden }
}

const bookable = (start: string) =>
  ({
    start: `2026-${start}:00Z`,
    end: `2026-${start}:30Z`,
    resource_uuid: 'a',
  }) as Listed['bookables'][number]

it('a later request wins although an earlier one is answered after it', async () => {
  const { requests, loader, march, shown } = scene()
  const first = loader.ensure(march)
  const second = loader.refresh()
  expect(requests).toHaveLength(2)
  requests[1]!.answer('03-04T10')
  await second
  requests[0]!.answer('03-04T09', '03-04T10')
  await first
  expect(shown()).toEqual(['03-04T10'])
})

it('an earlier request for a longer period adds only what lies beyond', async () => {
  const { requests, loader, march, shown, store } = scene()
  const long = { from: march.from - day, to: march.to + day }
  const first = loader.load(long)
  const second = loader.refresh()
  requests[1]!.answer('03-04T10')
  await second
  requests[0]!.answer('02-28T12', '03-04T09', '04-01T11')
  await first
  expect(shown()).toEqual(['02-28T12', '03-04T10', '04-01T11'])
  // All of it is known now.
  await loader.ensure(long)
  expect([requests.length, store.get().covered]).toEqual([2, [long]])
})

it('answers in order of their requests replace each other', async () => {
  const { requests, loader, march, shown } = scene()
  const first = loader.ensure(march)
  const second = loader.refresh()
  requests[0]!.answer('03-04T09', '03-04T10')
  await first
  requests[1]!.answer('03-04T10')
  await second
  expect(shown()).toEqual(['03-04T10'])
  const third = loader.refresh()
  requests[2]!.answer('03-04T09')
  await third
  expect(shown()).toEqual(['03-04T09'])
})

it('an outdated "hidden" answer is ignored once the channel is open', async () => {
  const { requests, loader, march, shown, whenHidden } = scene()
  const first = loader.ensure(march)
  const second = loader.refresh()
  requests[1]!.answer('03-04T10')
  await second
  requests[0]!.shut()
  await first
  expect([shown(), whenHidden.mock.calls.length]).toEqual([['03-04T10'], 0])
})

it('slots of another product are ignored', async () => {
  const { requests, loader, march, shown } = scene()
  const first = loader.refresh()
  requests[0]!.answer('03-04T09')
  await first
  loader.forget()
  loader.keep(march, { visible: true, bookables: [bookable('03-05T09')] })
  expect(shown()).toEqual(['03-05T09'])
})

it('subtracting spans from a period leaves the gaps', () => {
  const left = without({ from: 0, to: Number.POSITIVE_INFINITY }, [
    { from: 10, to: 20 },
    { from: -5, to: 3 },
  ])
  expect(left).toEqual([
    { from: 3, to: 10 },
    { from: 20, to: Number.POSITIVE_INFINITY },
  ])
  expect(without({ from: 3, to: 5 }, [{ from: 0, to: 9 }])).toEqual([])
})
