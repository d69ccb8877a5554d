import type { Format } from '../../shared/format.ts'
import type { Texts } from '../../shared/texts/index.ts'

export type Words = { texts: Texts; format: Format }
