import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { areas, exampleFile } from '../../../src/http/wire/docs/openapi.ts'
import { setClock } from '../../support/build.ts'
import { call, useService } from '../../support/service.ts'
import { book } from './booking.ts'
import { lookAfter } from './console.ts'
import { importFile } from './imports.ts'
import { manage, newSession } from './manage.ts'
import { masked } from './mask.ts'
import { makeRecorder, type Recorder } from './recorder.ts'
import { schedule } from './scheduling.ts'
import { seriesOfDates } from './series.ts'
import { setUp } from './setup.ts'
import { waitingList } from './waiting.ts'

// One scenario, run call by call against a real service: the document's examples are its requests and
// responses. When responses change on purpose: npm run examples.

// A folder that does not exist: whether npm start ran here before must not show in the examples.
const holdfast = await useService({ WEBHOOK_ALLOW_PRIVATE: '1', DATA_DIR: './test/http/examples/no-data' })
const openApi = async () =>
  (await call(holdfast.app, 'GET', '/openapi.json', undefined, { whole: true })).body
setClock(holdfast, '2027-03-01T09:00:00Z')
const recorder = makeRecorder(holdfast, await openApi())
await tell(recorder)
const recorded = masked(recorder.examples)

async function tell(recorder: Recorder) {
  const uuids = await setUp(recorder)
  recorder.room = 'scheduling'
  await schedule(recorder)
  recorder.room = 'console'
  const { providers } = await recorder.call('listProviders')
  const places = { ...uuids, providerUuid: providers[0].uuid }
  recorder.room = 'booking'
  await book(recorder, places)
  await waitingList(recorder, places)
  await seriesOfDates(recorder, places)
  recorder.room = 'console'
  await lookAfter(recorder, places)
  await importFile(recorder, holdfast, { uuid: places.providerUuid })
  await manage(recorder, places, email => newSession(holdfast, email))
  recorder.room = 'operations'
  await recorder.call('getHealth')
  await recorder.call('getReadiness')
  await recorder.call('getMetrics')
}

it.each(areas)('match the responses of the service: %s (otherwise: npm run examples)', async room => {
  const text = `${JSON.stringify(recorded[room], null, 2)}\n`
  await expect(text).toMatchFileSnapshot(exampleFile(room).pathname)
})

it('have no undocumented headers', () => {
  expect([...recorder.unheard]).toEqual([])
})

type Media = { schema: object; example?: unknown }
type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: { name: string; description?: string; schema: object; example?: unknown }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

describe('every operation of the document', () => {
  let operations: Operation[]
  let validate: (schema: object, value: unknown) => string
  beforeAll(async () => {
    const document = await openApi()
    operations = Object.values(document.paths).flatMap(methods => Object.values(methods as object))
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'doc', components: document.components })
    validate = (schema, value) => {
      const text = JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/')
      const check = ajv.compile(JSON.parse(text))
      return check(value) ? '' : ajv.errorsText(check.errors)
    }
  })

  it('has a unique name, a summary, a description and described parameters', () => {
    const names = operations.map(one => one.operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { operationId, summary, description, parameters } of operations) {
      expect(operationId).toMatch(/^[a-z]+[A-Z]\w*$/)
      expect(summary, operationId).toBeTruthy()
      expect(description, operationId).toBeTruthy()
      for (const one of parameters) expect(one.description, `${operationId} ${one.name}`).toBeTruthy()
    }
  })

  it('has an example (add its call in test/http/examples)', () => {
    const known = [...Object.values(recorded).flatMap(room => Object.keys(room))]
    expect(operations.map(one => one.operationId).filter(name => !known.includes(name))).toEqual([])
  })

  it('has examples that match its schemas', () => {
    for (const { operationId, parameters, requestBody, responses } of operations) {
      const contents = [requestBody, ...Object.values(responses)].flatMap(one =>
        Object.values(one?.content ?? {}),
      )
      for (const { schema, example } of [...parameters, ...contents])
        if (example !== undefined) expect(validate(schema, example), operationId).toBe('')
    }
  })
})
