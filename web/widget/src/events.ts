import type { HoldfastEventDetails } from '../../../clients/ts/widget/index.d.ts'

/** Events for the host page, as `holdfast-<name>`. */
export type Emit = <K extends keyof HoldfastEventDetails>(name: K, detail: HoldfastEventDetails[K]) => void
