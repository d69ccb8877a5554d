import { expect } from 'vitest'
import { workOnImport } from '../../src/actions/scheduling/imports/run-import.ts'
import { consoleCall, type TestService } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
export type ImportAnswer = any

export const planOf = ({ mapping, duplicates, dateOrder, onlyOpen, sendMails }: ImportAnswer) => ({
  mapping,
  duplicates,
  dateOrder,
  onlyOpen,
  sendMails,
})

/** The steps of an import: those in the console, then those of a worker. */
export function importsOf({ app, service }: TestService) {
  const call = async (method: string, path: string, body?: unknown): Promise<ImportAnswer> => {
    const { status, body: answer } = await consoleCall(app, method, path, body)
    return { status, ...answer }
  }

  const keyOf = async (uuid: string) => {
    const { rows } = await service.db.pool.query('select provider_id, id from data_import where uuid = $1', [
      uuid,
    ])
    return { providerId: Number(rows[0].provider_id), id: Number(rows[0].id) }
  }

  /** Does what a worker would do. */
  async function work(uuid: string): Promise<ImportAnswer> {
    const key = await keyOf(uuid)
    for (;;) {
      await workOnImport(service, key)
      const page = await call('GET', `/imports/${uuid}`)
      if (!page.state.endsWith('ING')) return page
    }
  }

  const upload = (provider: { uuid: string }, text: string | Buffer, kind = 'customers') =>
    call('POST', `/providers/${provider.uuid}/imports`, {
      kind,
      fileName: 'list.csv',
      content: Buffer.from(text as string).toString('base64'),
    })

  async function check(page: ImportAnswer, change: object = {}): Promise<ImportAnswer> {
    expect(await call('POST', `/imports/${page.uuid}/check`, { ...planOf(page), ...change })).toMatchObject({
      status: 200,
    })
    return work(page.uuid)
  }

  /** Leaves the rest to a worker. */
  const start = async (page: ImportAnswer, mode = 'good') =>
    expect(await call('POST', `/imports/${page.uuid}/run`, { mode })).toMatchObject({ status: 200 })

  return { call, work, upload, check, start }
}
