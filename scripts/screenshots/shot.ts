import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = new URL('../../screenshots/', import.meta.url).pathname
const widths = (process.env.WIDTHS ?? '390,1366,1920').split(',').map(Number)
const schemes = (process.env.SCHEMES ?? 'light,dark').split(',') as ('light' | 'dark')[]
const wanted = (process.argv[2] ?? '').split(',')

export const locale = process.env.LOCALE ?? 'en-GB'

/** Names, or parts of them, may be given on the command line. */
export const isWanted = (name: string) => wanted.some(part => name.includes(part))

let taken = 0
export const countPictures = () => `${taken} pictures in ${folder}`

/** As high as such screens usually are: 1366 × 768 is a small laptop. */
const heights: Record<number, number> = { 390: 844, 1366: 768, 1920: 1080 }

/** At every width, in light and dark. `prepare` runs before each. */
export async function shoot(page: Page, name: string, prepare?: () => Promise<void>, isWhole = true) {
  for (const width of widths)
    for (const scheme of schemes) {
      await page.setViewportSize({ width, height: heights[width] ?? 900 })
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await prepare?.()
      // What sticks to the screen is then where it belongs.
      if (isWhole) await page.evaluate(() => scrollTo(0, 0))
      const path = join(folder, `${name}-${width}-${scheme}.png`)
      mkdirSync(join(path, '..'), { recursive: true })
      await page.screenshot({ path, fullPage: isWhole })
      taken++
    }
}
