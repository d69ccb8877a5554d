/** @jsxImportSource vue */
import type {} from '../../../clients/ts/widget/vue.d.ts'

// Never run: that it compiles is the test.

export const inVue = (
  <holdfast-booking
    resource="room-1@clinic"
    theme="dark"
    onHoldfast-booked={event => event.detail.status === 'requested'}
  />
)
