// <holdfast-booking> in Preact's JSX.

import type { HTMLAttributes } from 'preact'
import type { HoldfastBooking, HoldfastBookingOptions, HoldfastHandlers } from './index.js'

type Props = Omit<HTMLAttributes<HoldfastBooking>, 'resource' | 'lang'>

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'holdfast-booking': Props & HoldfastBookingOptions & HoldfastHandlers
    }
  }
}
