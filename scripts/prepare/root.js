// @ts-check
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A problem that the user can fix; the message says everything. */
export class Failure extends Error {}
