import type { Language } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { myTexts } from './texts.ts'

/**
 * Leads to the page that asks for the address: who sees a booking page or a confirmation need not be the one who
 * reads the mailbox. `uuid` is that of the Provider or one of its Resources.
 */
export const ownPageLink = (uuid: string, language: Language): Html =>
  html`<a href="/my/at/${uuid}">${myTexts[language].title}</a>`
