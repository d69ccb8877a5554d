import { HoldfastBooking } from './element.ts'

// A page may load the module twice.
if (!customElements.get('holdfast-booking')) customElements.define('holdfast-booking', HoldfastBooking)

export { HoldfastBooking }
