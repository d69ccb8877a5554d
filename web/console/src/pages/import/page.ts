import type { Schemas } from '../../records.ts'

export type ImportPage = Schemas['ImportPage']
