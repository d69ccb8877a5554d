import { whenSteady } from '#shared/wait-for-click.ts'
import { HoldfastBooking } from './element.ts'

// A page may load the module twice. The page's placeholder buttons are not replaced while one is pressed.
whenSteady(() => {
  if (!customElements.get('holdfast-booking')) customElements.define('holdfast-booking', HoldfastBooking)
})

export { HoldfastBooking }
