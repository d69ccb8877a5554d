// <holdfast-booking> in the templates and JSX of Vue 3.

import type { DefineComponent, HTMLAttributes } from 'vue'
import type { HoldfastBookingOptions, HoldfastEventMap } from './index.js'

type Handlers = {
  [Name in keyof HoldfastEventMap as `on${Capitalize<Name>}`]?: (event: HoldfastEventMap[Name]) => void
}

declare module 'vue' {
  interface GlobalComponents {
    'holdfast-booking': DefineComponent<HoldfastBookingOptions & Handlers & HTMLAttributes>
  }
}

declare module 'vue/jsx-runtime' {
  namespace JSX {
    interface IntrinsicElements {
      'holdfast-booking': HoldfastBookingOptions & Handlers & HTMLAttributes
    }
  }
}
