import Type from 'typebox'
import { addHolidays, findHolidays } from '../../actions/scheduling/holidays.ts'
import { Optional } from '../wire/fields.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { ClosureSchema, closureRecord } from './closures.ts'
import { DiaryRecord, diaryRecord } from './diary.ts'
import { ownedProviderOf, providerOf } from './visible.ts'

const path = '/console/api/providers/:uuid/closures/holidays'

const Code = (description: string) => Type.String({ minLength: 1, maxLength: 10, description })
const country = Code('Code of the country, such as DE.')
const state = Code('Code of the state, province or canton, such as BY.')
const region = Code('Code of a region in it, such as A.')
const years = { minimum: 2000, maximum: 2100 }

const HolidayRecord = Type.Object(
  {
    from: Type.String({ description: 'A day, or a local time where it begins later.' }),
    to: Type.String({ description: 'The day that is open again.' }),
    name: Type.String({ description: 'In the language of the Provider.' }),
    closed: Type.Boolean({ description: 'It has been added already.' }),
  },
  { title: 'Holiday' },
)

const HolidayClosures = Type.Object(
  {
    closures: Type.Array(ClosureSchema, { description: 'Of all these holidays, old and new.' }),
    added: Type.Integer({ description: 'How many are new.' }),
    appointments: Type.Array(DiaryRecord, { description: 'Those that lie in the new ones and stay.' }),
  },
  { title: 'HolidayClosures' },
)

export const previewHolidays = consoleRoute({
  method: 'GET',
  path,
  scope: 'settings',
  operationId: 'previewHolidays',
  tag: 'Console',
  summary: 'Public holidays of a country or a part of it',
  description: 'What adding them would close. An unknown code is answered with those that there are.',
  query: {
    country,
    state: Type.Optional(state),
    region: Type.Optional(region),
    year: Type.Integer({ ...years, description: 'The year, such as 2027.' }),
  },
  replies: { 200: Type.Object({ holidays: Type.Array(HolidayRecord) }) },
  errors: ['missing-field', 'not-found'],
  async handle({ params, query, caller, service }) {
    const provider = await providerOf(service, caller, params.uuid)
    return answer(200, { holidays: await findHolidays(service, provider, query) })
  },
})

export const postHolidays = consoleRoute({
  method: 'POST',
  path,
  scope: 'settings',
  operationId: 'addHolidays',
  tag: 'Console',
  summary: 'Close on public holidays',
  description:
    'For the owner. One closure of the whole Provider for each public holiday of the year. A day that is closed as a holiday already is left as it is: adding them again adds none twice. 201 when some are new, else 200.',
  body: Type.Object(
    { country, state: Optional(state), region: Optional(region), year: Type.Integer(years) },
    { title: 'HolidaysInput' },
  ),
  replies: { 200: HolidayClosures, 201: HolidayClosures },
  errors: ['not-found'],
  async handle({ params, body, caller, service }) {
    const provider = await ownedProviderOf(service, caller, params.uuid)
    const { closures, added, appointments } = await addHolidays(service, caller.actor, provider, body)
    return answer(added > 0 ? 201 : 200, {
      closures: closures.map(closureRecord),
      added,
      appointments: appointments.map(diaryRecord),
    })
  },
})
