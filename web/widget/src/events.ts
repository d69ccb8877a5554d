import type { HoldfastEventDetails } from '../../../clients/ts/widget/index.d.ts'

/** What the host page can listen to, as `holdfast-<name>`. */
export type Emit = <K extends keyof HoldfastEventDetails>(name: K, detail: HoldfastEventDetails[K]) => void
