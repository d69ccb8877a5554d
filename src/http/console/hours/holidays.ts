import Type from 'typebox'
import {
  addHolidays,
  findHolidays,
  holidaysOf,
  regionsOf,
} from '../../../actions/scheduling/hours/holidays.ts'
import { languages } from '../../../languages.ts'
import { Choice, Optional } from '../../wire/fields.ts'
import { answer, consoleRoute } from '../../wire/route.ts'
import { affectedRecord, DiaryRecord } from '../calendar/diary.ts'
import { providerInPath } from '../subjects.ts'
import { ClosureSchema, closureRecord } from './closures.ts'

const path = '/console/api/providers/:uuid/closures/holidays'

const Code = (description: string) => Type.String({ minLength: 1, maxLength: 10, description })
const country = Code('Country code, such as DE.')
const state = Code('Code of the state, province or canton, such as BY.')
const region = Code('Code of a region within it, such as A.')
const years = { minimum: 2000, maximum: 2100 }

const HolidayRecord = Type.Object(
  {
    from: Type.String({ description: 'A day, or a local time if the holiday starts later in the day.' }),
    to: Type.String({ description: 'First day that is open again.' }),
    name: Type.String({ description: 'In the Provider’s language.' }),
    closed: Type.Boolean({ description: 'Already added as a closure.' }),
  },
  { title: 'Holiday' },
)

const HolidayClosures = Type.Object(
  {
    closures: Type.Array(ClosureSchema, { description: 'Of all these holidays, old and new.' }),
    added: Type.Integer({ description: 'Number of new closures.' }),
    appointments: Type.Array(DiaryRecord, {
      description: 'Appointments inside the new closures. They remain booked.',
    }),
  },
  { title: 'HolidayClosures' },
)

export const previewHolidays = consoleRoute({
  method: 'GET',
  path,
  operationId: 'previewHolidays',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'List public holidays of a country or region',
  description: 'The days that adding them would close. For an unknown code, the error lists the valid ones.',
  query: {
    country,
    state: Type.Optional(state),
    region: Type.Optional(region),
    year: Type.Optional(
      Type.Integer({ ...years, description: 'Year, such as 2027. Default: the next twelve months.' }),
    ),
  },
  replies: { 200: Type.Object({ holidays: Type.Array(HolidayRecord) }) },
  errors: ['missing-field'],
  handle: async ({ query, service, found: provider }) => ({
    holidays: await findHolidays(service, provider, query),
  }),
})

export const postHolidays = consoleRoute({
  method: 'POST',
  path,
  operationId: 'addHolidays',
  access: { right: 'manage', whose: providerInPath, scope: 'settings' },
  summary: 'Add public holidays as closures',
  description:
    'For owners, managers and administrators. Adds one closure of the whole Provider for each public holiday of the year, or of the next twelve months if no year is sent. Days already closed as a holiday are skipped, so the request can be repeated. Returns 201 if closures were added, otherwise 200.',
  body: Type.Object(
    { country, state: Optional(state), region: Optional(region), year: Optional(Type.Integer(years)) },
    { title: 'HolidaysInput' },
  ),
  replies: { 200: HolidayClosures, 201: HolidayClosures },
  async prepare({ body, found }) {
    return holidaysOf(found, body)
  },
  async handle({ caller, prepared, context }) {
    const { closures, added, appointments } = await addHolidays(context, prepared)
    return answer(added > 0 ? 201 : 200, {
      closures: closures.map(closureRecord),
      added,
      appointments: appointments.map(affectedRecord(caller)),
    })
  },
})

const regionPath = '/console/api/holidays/regions'

export const getHolidayRegions = consoleRoute({
  method: 'GET',
  path: regionPath,
  operationId: 'listHolidayRegions',
  access: { right: 'own-login', whose: 'login', scope: 'settings' },
  summary: 'List states, provinces or cantons of a country',
  description: 'Regions whose public holidays can be added, by name. Some countries have none.',
  query: {
    country,
    language: Type.Optional(
      Choice([...languages], { description: 'Language of the names. Default: the language of the service.' }),
    ),
  },
  replies: {
    200: Type.Object(
      { regions: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })) },
      { title: 'HolidayRegions' },
    ),
  },
  errors: ['missing-field'],
  async handle({ query, service }) {
    const language = query.language ?? service.config.language
    return { regions: await regionsOf(query.country, language) }
  },
})
