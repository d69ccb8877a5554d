// Counts what a person at a desk does, and estimates how long it takes.

import type { Locator, Page } from 'playwright-core'

export type Count = { clicks: number; keys: number; seconds: number }

// The keystroke-level model: seconds to point, to press, to think before a click, and for a key.
const [pointing, pressing, thinking, typing] = [1.1, 0.2, 1.35, 0.2]

export class Desk {
  readonly page: Page
  #clicks = 0
  #keys = 0
  #since = performance.now()

  constructor(page: Page) {
    this.page = page
  }

  button = (name: string | RegExp) => this.page.getByRole('button', { name, exact: typeof name === 'string' })
  dialog = (name?: string | RegExp) => this.page.getByRole('dialog', name ? { name } : {}).last()

  async click(what: Locator) {
    await what.click()
    this.#clicks++
  }

  /** Opens a list and chooses from it. */
  async choose(list: Locator, label: string) {
    await list.selectOption({ label })
    this.#clicks += 2
  }

  /** Fields have the focus after a click or Tab, which counts as a key. */
  async type(field: Locator, text: string) {
    await field.fill(text)
    this.#keys += text.replace(/[-:]/g, '').length + 1
  }

  async press(...keys: string[]) {
    for (const key of keys) await this.page.keyboard.press(key)
    this.#keys += keys.length
  }

  /** Runs a task that starts on this path. What the program needs is measured, what the person needs is estimated. */
  async count(path: string, task: () => Promise<void>): Promise<Count> {
    await this.page.goto(new URL(`/console${path}`, this.page.url()).href)
    await this.page.locator('h1').first().waitFor()
    await this.page.locator('.skeleton').first().waitFor({ state: 'detached' })
    this.#clicks = 0
    this.#keys = 0
    this.#since = performance.now()
    await task()
    const waited = (performance.now() - this.#since) / 1000
    const moved = this.#clicks * (pointing + pressing + thinking) + this.#keys * typing
    return { clicks: this.#clicks, keys: this.#keys, seconds: Math.round(moved + waited) }
  }
}
