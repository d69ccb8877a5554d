// <holdfast-booking> in the JSX of React 19.

import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { HoldfastBooking, HoldfastBookingOptions, HoldfastHandlers } from './index.js'

type Props = Omit<DetailedHTMLProps<HTMLAttributes<HoldfastBooking>, HoldfastBooking>, 'resource'>

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'holdfast-booking': Props & HoldfastBookingOptions & HoldfastHandlers
    }
  }
}
