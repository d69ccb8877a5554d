import type { Product } from '#shared/api-types.ts'
import { placeTexts } from '#shared/place-texts.ts'
import type { FormQuestion } from '../../../src/rules/questions/questions.ts'
import type { Api } from './api.ts'
import type { State } from './state.ts'
import type { Words } from './words.ts'

// How many places, and for whom: shown as questions, in the part that asks them.

type Values = Record<string, unknown>

const countKey = 'place_count'
const nameKey = (index: number) => `place_name_${index}`

/** `most`: the Product's maximum, or fewer if fewer are left. */
export function placeForm(
  { placeNamesRequired }: Pick<Product, 'placeNamesRequired'>,
  most: number,
  language: Words['language'],
) {
  const texts = placeTexts[language]
  const numbers = Array.from({ length: most }, (_, index) => `${index + 1}`)
  const count = (values: Values) => Math.min(most, Number(values[countKey]) || 1)
  const namesOf = (values: Values) =>
    placeNamesRequired && count(values) > 1 ? numbers.slice(0, count(values)) : []
  return {
    key: countKey,
    hold: holdPlaces,
    count,
    tooFew: texts.tooFew,
    /** For what is not a question, but looks like one. */
    problemOf: (key: string) => (key.startsWith('place_name_') ? texts.missingName : ''),
    /** Added to what was booked, on the confirmation. */
    said: (values: Values) => (count(values) > 1 ? `, ${texts.amount(count(values))}` : ''),
    questions(values: Values): FormQuestion[] {
      values[countKey] = `${count(values)}`
      const options = numbers.map(number => ({ key: number, label: number }))
      return [
        question(countKey, 'choice', texts.count, options),
        ...namesOf(values).map(number =>
          question(nameKey(Number(number)), 'text', texts.nameOf(Number(number))),
        ),
      ]
    },
    /** The answers of the questions stay; the others have fields of their own. */
    split(checked: Values, hasQuestions: boolean) {
      const place_names = namesOf(checked).map(number => String(checked[nameKey(Number(number))] ?? ''))
      const answers = Object.fromEntries(Object.entries(checked).filter(([key]) => !key.startsWith('place_')))
      return {
        place_count: count(checked),
        ...(place_names.length > 0 ? { place_names } : {}),
        ...(hasQuestions ? { answers } : {}),
      }
    },
  }
}

/** The hold keeps its name, so the main file needs not know. If too few are left, it stays as it is. */
async function holdPlaces(api: Api, { slot, hold, places, product }: State, place_count: number) {
  if (!slot || !hold) return
  const ref = places.find(one => one.resource.uuid === slot.resource)?.ref ?? slot.resource
  await api.reserve(ref, {
    timeslot_uuid: slot.timeslot,
    appointment_uuid: slot.appointment ?? undefined,
    product_uuid: slot.product ?? product!,
    placeholder_id: hold.placeholder,
    new_placeholder_id: hold.placeholder,
    from: new Date(slot.start).toISOString(),
    to: new Date(slot.end).toISOString(),
    place_count,
  })
}

const question = (
  key: string,
  type: 'choice' | 'text',
  label: string,
  options: FormQuestion['options'] = [],
): FormQuestion => ({
  key,
  type,
  label,
  help: null,
  required: true,
  options,
  min: null,
  max: null,
  maxLength: 255,
  showIf: null,
})
