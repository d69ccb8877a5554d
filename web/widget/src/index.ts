import { whenSteady } from '#shared/wait-for-click.ts'
import { HoldfastBooking } from './element.ts'
import { optionsOf } from './options.ts'
import { loadTexts } from './words.ts'

const name = 'holdfast-booking'

// A page may load the module twice. The page's placeholder buttons are not replaced while one is pressed.
const define = () =>
  whenSteady(() => {
    if (!customElements.get(name)) customElements.define(name, HoldfastBooking)
  })

// English is at hand. Other languages load first, so that the placeholder stays until its texts can be replaced; if one
// fails to load, the widget says so.
const languages = [...document.querySelectorAll(name)].map(one => optionsOf(one).locale.language)
if (languages.every(one => one === 'en')) define()
else void Promise.allSettled(languages.filter(one => one !== 'en').map(loadTexts)).then(define)

export { HoldfastBooking }
