import type { BrowserContextOptions } from 'playwright-core'
import { visitAfresh } from './browser.ts'
import { staffSession } from './logins.ts'
import type { Site } from './widget.ts'

/** A page of the console, for a member of staff with a browser of their own. */
export async function consolePage(
  { holdfast, origin, browser }: Site,
  reference: string,
  path: string,
  options: BrowserContextOptions = {},
) {
  const visitor = await visitAfresh(browser, 'about:blank', options)
  const value = await staffSession(holdfast, reference)
  await visitor.context.addCookies([{ name: 'holdfast_session', value, url: origin }])
  await visitor.page.goto(`${origin}/console${path}`)
  await visitor.page.locator('h1').first().waitFor()
  return visitor
}
