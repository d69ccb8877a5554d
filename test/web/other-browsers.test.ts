// The way through a booking in the browsers that are not Chromium, where the machine has them.

import { describe, expect, it, onTestFinished } from 'vitest'
import { mailKindsTo } from '../support/mailbox.ts'
import { otherBrowsers, patience } from '../support/other-browsers.ts'
import { useService } from '../support/service.ts'
import { bookPage, openPractice, type Site } from '../support/widget.ts'

const holdfast = await useService()
const origin = await holdfast.app.listen({ port: 0, host: '127.0.0.1' })
holdfast.service.baseUrl = origin
const site = { holdfast, origin } as Site

/** As a visitor would, using visible text; each step waits for the result of the previous one. */
const visitor = `async () => {
  const until = async look => {
    while (performance.now() < PATIENCE) {
      const found = look()
      if (found) return found
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    throw new Error('not there: ' + look + ' in ' + document.documentElement.outerHTML.slice(0, 2000))
  }
  // The script may arrive after the page.
  const root = await until(() => document.querySelector('holdfast-booking')?.shadowRoot)
  const button = (text, within = root) => [...within.querySelectorAll('button')].find(one => one.textContent.includes(text))
  const heading = text => [...root.querySelectorAll('h3')].find(one => one.textContent.includes(text))
  ;(await until(() => root.querySelector('[part="times"]') && button('10:00', root.querySelector('[part="times"]')))).click()
  const type = (name, value) => {
    const input = root.querySelector('[name="' + name + '"]')
    input.value = value
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  await until(() => root.querySelector('[name="email"]'))
  type('firstname', 'Ann')
  type('lastname', 'Winter')
  type('email', EMAIL)
  await until(() => root.querySelector('[role="timer"]'))
  root.querySelector('[part="submit"]').click()
  await until(() => heading('You’re booked'))
  return { address: location.pathname, status: root.querySelector('[part~="done"]').getAttribute('part') }
}`

describe.each(otherBrowsers)('$name', ({ name, missing, start }) => {
  it(
    'books through the page with the widget',
    async context => {
      if (missing) return context.skip(`${name} is not here: apt-get install ${missing}`)
      const practice = await openPractice(site, {}, { days: [1] })
      const browser = await start()
      onTestFinished(() => browser.close())
      const email = `${name.toLowerCase()}@example.org`
      await browser.goto(bookPage(site, practice, '?lang=en'))
      const seen = await browser.run(
        visitor.replace('EMAIL', JSON.stringify(email)).replace('PATIENCE', String(patience / 2)),
      )
      expect(seen).toEqual({ address: expect.stringMatching(/^\/booked\//), status: 'done confirmed' })
      expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
    },
    patience,
  )
})
