import { it } from 'vitest'
import { makePractice, makeTimeslot, makeProvider } from '../support/build.ts'
import { startBrowser, visit, screenshot, narrow } from '../support/browser.ts'
import { startTestService, consoleCall, call } from '../support/service.ts'
it('try', async () => {
  const test = await startTestService({BASE_URL: 'http://127.0.0.1:45671'})
  const origin = await test.app.listen({ port: 45671, host: '127.0.0.1' })
  const practice = await makePractice(test.crm, { name: 'Harbour Practice', impressum: 'Harbour Practice, Hafenstr. 1\n20359 Hamburg' })
  for (let i = 1; i < 25; i++) {
    const day = new Date(Date.now() + i*86400000).toISOString().slice(0,10)
    await makeTimeslot(test.crm, practice, {start: day+'T09:00', end: day+'T17:00', raster: 30, defaultCapacity: i%3===0?5:1})
  }
  const browser = await startBrowser()
  for (const [name, opt] of [['wide',{}],['narrow',{viewport:narrow}],['dark',{colorScheme:'dark'}]] as const) {
    const { page, problems } = await visit(browser, `${origin}/book/${practice.resource}`, opt)
    try {
    await page.getByRole('button', {name: /10:00/}).first().waitFor()
    await screenshot(page, `try-${name}-time`)
    await page.getByRole('button', {name: /1[01]:00/}).first().click()
    await page.getByLabel('First name').fill('Ann')
    await screenshot(page, `try-${name}-form`)
    await page.getByLabel('Last name').fill('Winter')
    await page.getByLabel('Email').fill(`ann${name}@example.org`)
    await page.getByRole('button', {name: 'Book now'}).click()
    await page.getByText('is confirmed').first().waitFor()
    await screenshot(page, `try-${name}-done`)
    } catch (e) { console.log(String(e).slice(0,500)); await screenshot(page, `try-${name}-fail`) }
    console.log(name, problems)
    if (name==='wide') console.log((await (await fetch(`${origin}/book/${practice.resource}`)).text()).slice(0, 6000).slice(3500))
  }
  await browser.close()
  await test.close()
}, 60000)
