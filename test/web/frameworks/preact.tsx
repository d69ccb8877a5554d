/** @jsxImportSource preact */
import type { HoldfastBooking } from '../../../clients/ts/widget/index.d.ts'
import type {} from '../../../clients/ts/widget/preact.d.ts'

// Never run: that it compiles is the test.

export const inPreact = (
  <holdfast-booking
    resource={['room-1@clinic', 'room-2@clinic']}
    channelKey="RESOURCE_PUBLIC"
    onholdfast-lost={event => event.detail.start.toUpperCase()}
  />
)

export const wrong = (
  // @ts-expect-error there is no such theme
  <holdfast-booking theme="purple" />
)

export function inTheDocument() {
  const element: HoldfastBooking | null = document.querySelector('holdfast-booking')
  document.addEventListener('holdfast-booked', ({ detail }) => detail.status === 'confirmed')
  return element?.refresh()
}
