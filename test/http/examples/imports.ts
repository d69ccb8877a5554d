import { workOnImport } from '../../../src/actions/scheduling/imports/run-import.ts'
import type { TestService } from '../../support/service.ts'
import type { Recorder } from './recorder.ts'

/** A file of customers: uploaded, checked, imported and undone. */
export async function importFile({ call }: Recorder, { service }: TestService, provider: { uuid: string }) {
  const content = Buffer.from('name,email\nIda Imported,ida@example.org\n,no-name@example.org\n').toString(
    'base64',
  )
  const body = { kind: 'customers', fileName: 'customers.csv', content }
  const { uuid } = await call('uploadImport', { path: provider, body })
  const path = { uuid }
  /** Like the worker. */
  const work = async () => {
    const { rows } = await service.db.pool.query('select provider_id, id from data_import where uuid = $1', [
      uuid,
    ])
    await workOnImport(service, { providerId: Number(rows[0].provider_id), id: Number(rows[0].id) })
  }
  const plan = {
    mapping: ['name', 'email'],
    duplicates: 'update',
    dateOrder: 'dmy',
    onlyOpen: false,
    sendMails: false,
  }
  await call('checkImport', { path, body: plan })
  await work()
  await call('getImportProblems', { path })
  await call('runImport', { path, body: { mode: 'good' } })
  await work()
  await call('getImport', { path })
  await call('listImports', { path: provider })
  await call('undoImport', { path })
  await work()
  const other = await call('uploadImport', { path: provider, body: { ...body, fileName: 'again.csv' } })
  await call('discardImport', { path: { uuid: other.uuid } })
}
