import { createApp, ref } from 'vue'
import type { HoldfastBooking, HoldfastEventMap } from '../../../clients/ts/widget/index.d.ts'
import type {} from '../../../clients/ts/widget/vue.d.ts'

// A page of a Vue application, with a typical template.

const app = createApp({
  template: `
    <button type="button" @click="resource = config.resource">Show</button>
    <button type="button" @click="resource = config.later">Show another</button>
    <button type="button" @click="resource = undefined">Hide</button>
    <button type="button" @click="element?.refresh()">Refresh</button>
    <p id="booked">{{ booked }}</p>
    <holdfast-booking ref="element" :resource="resource" :base-url="config.baseUrl" theme="light" lang="en"
      @holdfast-booked="note" />`,
  setup() {
    const element = ref<HoldfastBooking | null>(null)
    const resource = ref<string | undefined>()
    const booked = ref('')
    const note = ({ detail }: HoldfastEventMap['holdfast-booked']) => {
      booked.value = `${detail.status} ${detail.start}`
    }
    return { config, element, resource, booked, note }
  },
})
app.config.compilerOptions.isCustomElement = (tag: string) => tag.startsWith('holdfast-')
app.mount('#app')
