// @ts-check
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Something that the person at the terminal can mend; the message is all there is to say. */
export class Failure extends Error {}
