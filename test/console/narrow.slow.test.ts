// The narrowest phones, in every language: nothing is cut, overlaps or needs scrolling sideways.

import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { screenshot, visitAfresh } from '../support/browser.ts'
import { makeAppointment, makeResource, type Practice, unique } from '../support/build.ts'
import { consolePage } from '../support/console-page.ts'
import { dayIn, openPractice, useSite } from '../support/widget.ts'

const site = await useSite()
const tomorrow = dayIn(1)
const widths = [320, 360, 375, 390]
const languages = ['de', 'en', 'es', 'fr', 'it']
let practice: Practice

beforeAll(async () => {
  practice = await openPractice(site, {}, { days: [1] })
  await makeResource(site.holdfast.crm, practice, { internalName: 'Second room' })
  // One that is over, one who is late, and one that has just begun.
  const starts = {
    'Bo Li': '07:00',
    'Maximiliane Vordermayer-Obermeier': '08:00',
    '<b>Ann</b> <img src=x onerror=alert(1)>': '09:00',
  }
  for (const [name, start] of Object.entries(starts))
    await makeAppointment(site.holdfast.crm, practice, {
      start: `${tomorrow}T${start}`,
      end: `${tomorrow}T${start.replace(':00', ':45')}`,
      participations: [{ reference: unique('p'), name, email: unique('m'), state: 'BOOKED' }],
    })
})

/** Words that reach beyond the card or the cell that they are in, or that stand letter by letter. */
const badlySet = (page: Page) =>
  page.locator('.today tr :is(.came .button, .visitor > *)').evaluateAll(all =>
    all
      .filter(one => {
        const { left, right, width, height } = one.getBoundingClientRect()
        const card = one.closest('tr')!.getBoundingClientRect()
        const isOut = left < card.left || right > card.right || one.scrollWidth > one.clientWidth + 1
        return width > 0 && (isOut || height > 100)
      })
      .map(one => one.textContent),
  )

/** Names in the bar at the bottom that touch the next one or the edge of the screen. */
const touching = (page: Page) =>
  page.locator('.rail .entry:visible').evaluateAll(all => {
    const boxes = all.map(entry => {
      const name = [...entry.childNodes].find(one => one.nodeType === Node.TEXT_NODE)!
      const range = new Range()
      range.selectNode(name)
      return { name: name.textContent, box: range.getBoundingClientRect() }
    })
    const isBad = ({ box }: (typeof boxes)[0], index: number) =>
      box.left < (boxes[index - 1]?.box.right ?? 0) + 2 || box.right > innerWidth - 2 || box.height > 24
    return boxes.filter(isBad).map(one => one.name)
  })

const isWiderThanScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth)

/** What is chosen in a list, if there is no room for it beside the arrow. */
const cutChoices = (page: Page) =>
  page.locator('.calendar-bar select').evaluateAll(all =>
    (all as HTMLSelectElement[]).flatMap(list => {
      const style = getComputedStyle(list)
      const pen = document.createElement('canvas').getContext('2d')!
      pen.font = style.font
      const chosen = list.selectedOptions[0]!.text
      const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 20
      return pen.measureText(chosen).width > room ? [chosen] : []
    }),
  )

it.each(languages)('Today, the menu and the calendar: %s', async locale => {
  const viewport = { width: widths[0]!, height: 640 }
  const { page } = await consolePage(site, practice.owner, '', { viewport, locale })
  const open = async (path: string, time: string, part: string) => {
    const then = Temporal.PlainDateTime.from(`${tomorrow}T${time}`).toZonedDateTime('Europe/Berlin')
    await page.clock.setFixedTime(then.epochMilliseconds)
    await page.goto(`${site.origin}/console${path}`)
    await page.locator(part).first().waitFor()
  }
  const look = async (name: string, faults: (page: Page) => Promise<unknown[]>) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 640 })
      await screenshot(page, `narrow-${name}-${locale}-${width}`)
      const found = [await isWiderThanScreen(page), await faults(page), await touching(page)]
      expect.soft([name, width, ...found]).toEqual([name, width, false, [], []])
    }
  }
  await open('', '08:12', '.visitor > .chip')
  await look('late', badlySet)
  await open('', '09:03', '.visitor > .soft:visible')
  await look('now', badlySet)
  await open('/calendar', '09:03', '.segments')
  await look('calendar', cutChoices)
})

it('an email keeps its word whole on the buttons of the login', async () => {
  const { page } = await visitAfresh(site.browser, `${site.origin}/console`, {
    viewport: { width: widths[0]!, height: 640 },
    locale: 'fr',
  })
  const button = page.getByRole('button', { name: 'Recevoir un lien par e-mail' })
  await button.waitFor()
  await screenshot(page, 'narrow-login')
  const lines = await button.evaluate(button => {
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
    while (!texts.nextNode()?.nodeValue?.includes('e-mail'));
    const range = new Range()
    const at = texts.currentNode.nodeValue!.indexOf('e-mail')
    range.setStart(texts.currentNode, at)
    range.setEnd(texts.currentNode, at + 'e-mail'.length)
    return range.getClientRects().length
  })
  expect(lines).toBe(1)
})
