import { styleText } from 'node:util'
import type { Config } from '../config.ts'
import { version } from '../lib/root.ts'
import { isPretty, makeLog } from '../lib/watch/log.ts'
import { print } from './command.ts'

type Level = 'info' | 'warn'

/**
 * Messages of a program that keeps running. On a terminal they are plain text until it has started, and log lines
 * with a time from then on.
 */
export class Announcer {
  /** Shown at every LOG_LEVEL: operators wait for these. */
  readonly log: ReturnType<typeof makeLog>
  #isPlain: boolean

  constructor(config: Config) {
    this.log = makeLog({ ...config, logLevel: 'info' })
    this.#isPlain = isPretty(config)
  }

  say = (text: string, level: Level = 'info') => {
    if (this.#isPlain) return print(level === 'warn' ? paint('yellow', text) : text)
    for (const line of text.split('\n')) this.log[level](line.trim())
  }

  /** `details` are lines of a label and a text, one below the other. */
  started(message: string, details: string[] = []) {
    this.say(this.#isPlain ? `${paint('bold', message)} (version ${version})` : message)
    for (const line of details) this.say(`  ${line}`)
    this.#isPlain = false
  }
}

/** Respects NO_COLOR. */
const paint = (style: 'bold' | 'yellow', text: string) => styleText(style, text, { stream: process.stdout })
