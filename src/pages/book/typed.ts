import { fieldNames } from '../../../web/shared/fields.ts'
import { type Html, html } from '../../lib/html.ts'

// What a visitor without JavaScript has typed goes from page to page in hidden fields: it is too long for an
// address, and an address ends up in logs.

export type Typed = [name: string, value: string][]

const isTyped = (name: string) =>
  name.startsWith('answers.') || name === 'agreed' || (fieldNames as readonly string[]).includes(name)

/** The fields of a posted form that a visitor fills in, without the empty ones. */
export function typedIn(body: unknown): Typed {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return fields
    .filter(([name]) => isTyped(name))
    .flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]))
    .filter(([_key, value]) => value !== '')
}

const formId = 'typed'

/** The form that posts it; its buttons may stand anywhere on the page. */
export const typedForm = (typed: Typed, action: string): Html | false =>
  typed.length > 0 &&
  html`<form id="${formId}" method="post" action="${action}">${typed.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}</form>`

/** A button that belongs to the form. */
export const inTypedForm = (typed: Typed): Html | false => typed.length > 0 && html` form="${formId}"`

/** Leads to another page, which gets what was typed. */
export const typedLink = (typed: Typed, to: { link: string; post: string }, name: Html): Html =>
  typed.length > 0
    ? html`<button class="link"${inTypedForm(typed)} formaction="${to.post}">${name}</button>`
    : html`<a href="${to.link}">${name}</a>`
