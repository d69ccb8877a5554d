import { describe, expect, it } from 'vitest'
import { makeCustomer, makePractice } from '../support/build.ts'
import { type ImportAnswer, importsOf, planOf } from '../support/imports.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()
const { service, crm } = holdfast
const { pool } = service.db

const { call, work, upload, check, start } = importsOf(holdfast)
const read = (uuid: string) => call('GET', `/imports/${uuid}`)

async function run(page: ImportAnswer, mode = 'good'): Promise<ImportAnswer> {
  await start(page, mode)
  return work(page.uuid)
}

const undo = async (page: ImportAnswer): Promise<ImportAnswer> => {
  expect((await call('POST', `/imports/${page.uuid}/undo`)).status).toBe(200)
  return work(page.uuid)
}

const problems = async (page: ImportAnswer) =>
  (await call('GET', `/imports/${page.uuid}/problems`)).lines.map((one: ImportAnswer) => [
    one.line,
    one.result,
    ...one.problems.map(
      (problem: ImportAnswer) => problem.rule ?? `${problem.code} ${problem.field ?? ''}`.trim(),
    ),
  ])

const customersOf = async (provider: { path: string }) => (await crm.get(`${provider.path}/customers`)).body

describe('customers', () => {
  it('are read from a file in German, in Windows-1252 and with semicolons', async () => {
    const practice = await makePractice(crm)
    const text = [
      'Kundennummer;Vorname;Nachname;E-Mail;Geburtsdatum;Straße;PLZ;Ort;Sprache;Bemerkung;Egal',
      'K1;Jörg;Müller;joerg@example.org;3.4.1985;Weg 1;20095;Hamburg;Deutsch;"mag; Tee";x',
      '',
      'K2;Ann;;kaputt;31.2.1990;;;;;;',
      ';Zoë;Ohne;zoe@example.org;01/02/1999;;;;fr;;',
      'K1;Noch;Einer;;;;;;;;',
    ].join('\r\n')
    const page = await upload(practice, Buffer.from(text, 'latin1'))
    expect(page).toMatchObject({ status: 201, state: 'UPLOADED', lineCount: 4, dateOrder: 'dmy' })
    expect(page.mapping).toEqual([
      'reference',
      'firstName',
      'lastName',
      'email',
      'birthDate',
      'street',
      'zip',
      'city',
      'language',
      'note',
      null,
    ])
    expect(page.samples[0]).toContain('mag; Tee')
    const checked = await check(page)
    expect(checked).toMatchObject({ state: 'CHECKED', counts: { CREATED: 2, REFUSED: 2, WAITING: 0 } })
    expect(await customersOf(practice)).toEqual([])
    const found = await problems(page)
    expect(found).toEqual([
      [4, 'REFUSED', 'email', 'date'],
      [6, 'REFUSED', 'duplicate-reference reference'],
    ])
    const done = await run(page)
    expect(done).toMatchObject({ state: 'DONE', counts: { CREATED: 2, REFUSED: 2 }, newCustomers: 2 })
    expect(await problems(page)).toEqual(found)
    expect(await customersOf(practice)).toMatchObject([
      {
        customerReference: 'K1',
        userName: 'Jörg Müller',
        email: 'joerg@example.org',
        birthDate: '1985-04-03',
        address: { street: 'Weg 1', zip: '20095', city: 'Hamburg' },
        language: 'de',
        note: 'mag; Tee',
      },
      { userName: 'Zoë Ohne', birthDate: '1999-02-01', language: 'fr' },
    ])
    const { rows } = await pool.query('select count(*)::int from data_import_line where cells is not null')
    expect(rows[0].count).toBe(0)
    // The next file with these headers.
    const again = await upload(practice, text)
    expect(again.mapping).toEqual(page.mapping)
  })

  it('that exist are updated or skipped, and an undo restores what no one has changed', async () => {
    const practice = await makePractice(crm)
    await makeCustomer(crm, practice, {
      customerReference: 'A',
      userName: 'Ann Old',
      email: 'ann@example.org',
      tags: ['vip'],
    })
    await makeCustomer(crm, practice, { customerReference: 'B', userName: 'Ben', email: 'ben@example.org' })
    const file = [
      'id,name,email,tags',
      'A,Ann New,ann@example.org,regular',
      ',Ben,BEN@example.org,',
      ',Cem,cem@example.org,',
      ',Dora,cem@example.org,',
      ',Eva,,',
    ].join('\n')
    const skipped = await run(await check(await upload(practice, file), { duplicates: 'skip' }))
    expect(skipped.counts).toMatchObject({ CREATED: 3, SKIPPED: 2 })
    expect((await undo(skipped)).counts).toMatchObject({ UNDONE: 3, SKIPPED: 2, KEPT: 0 })
    expect((await customersOf(practice)).map((one: ImportAnswer) => one.userName)).toEqual(['Ann Old', 'Ben'])

    const done = await run(await check(await upload(practice, file), { duplicates: 'update' }))
    expect(done.counts).toMatchObject({ CREATED: 3, CHANGED: 1, UNCHANGED: 1 })
    expect(await customersOf(practice)).toMatchObject([
      { customerReference: 'A', userName: 'Ann New', tags: ['vip', 'regular'] },
      { userName: 'Ben' },
      { userName: 'Cem' },
      { userName: 'Dora' },
      { userName: 'Eva' },
    ])
    // The same file again finds its own customers.
    const same = await check(await upload(practice, file))
    expect(same.importedBefore).not.toBeNull()
    expect(same.counts).toMatchObject({ CREATED: 0, CHANGED: 0, UNCHANGED: 5 })
    const eva = (await customersOf(practice)).find((one: ImportAnswer) => one.userName === 'Eva')
    await crm.put(`${practice.path}/customers/${encodeURIComponent(eva.customerReference)}`, { note: 'new' })
    const undone = await undo(done)
    expect(undone).toMatchObject({ state: 'UNDONE', counts: { UNDONE: 3, KEPT: 1, UNCHANGED: 1 } })
    expect(await problems(done)).toEqual([[6, 'KEPT', 'changed name']])
    expect((await customersOf(practice)).map((one: ImportAnswer) => [one.userName, one.tags])).toEqual([
      ['Ann Old', ['vip']],
      ['Ben', []],
      ['Eva', []],
    ])
  })

  it('are all imported or none', async () => {
    const practice = await makePractice(crm)
    const lines = Array.from({ length: 12 }, (_, index) => `R${index},Name ${index}`)
    const bad = await check(await upload(practice, ['id,name', ...lines, 'X,'].join('\n')))
    expect(await call('POST', `/imports/${bad.uuid}/run`, { mode: 'all' })).toMatchObject({
      status: 400,
      errors: [{ errorCode: 'invalid-field', field: 'mode' }],
    })
    const good = await check(await upload(practice, ['id,name', ...lines].join('\n')))
    // Someone takes the reference of a later line in the meantime, and it leads to another customer.
    await makeCustomer(crm, practice, { customerReference: 'R7' })
    await makeCustomer(crm, practice, { customerReference: 'other' })
    const merged = await crm.post(`${practice.path}/customers/other/merge`, { customerReference: 'R7' })
    expect(merged.status).toBe(200)
    const stopped = await run(good, 'all')
    expect(stopped).toMatchObject({ state: 'UNDONE', wasStopped: true, counts: { CREATED: 0, REFUSED: 1 } })
    expect(await customersOf(practice)).toHaveLength(1)
  })

  it('are refused with a reason if file, mapping or state do not fit', async () => {
    const practice = await makePractice(crm)
    expect(await upload(practice, 'only,headers')).toMatchObject({
      status: 400,
      errors: [{ field: 'content' }],
    })
    expect(await upload(practice, 'a,b\n"open,1')).toMatchObject({
      status: 400,
      errors: [{ field: 'content' }],
    })
    expect(await upload(practice, `name\n${'x\n'.repeat(50_001)}`)).toMatchObject({
      status: 400,
      errors: [{ field: 'content', rule: 'maxItems', limit: 50_000 }],
    })
    const page = await upload(practice, 'colour,size\nred,1')
    expect(page.mapping).toEqual([null, null])
    for (const mapping of [
      [null, null],
      ['name', 'name'],
      ['unknown', 'name'],
      ['name', null, null],
    ])
      expect(await call('POST', `/imports/${page.uuid}/check`, { ...planOf(page), mapping })).toMatchObject({
        status: 400,
        errors: [{ errorCode: 'invalid-field' }],
      })
    for (const step of ['run', 'undo'])
      expect(
        await call('POST', `/imports/${page.uuid}/${step}`, step === 'run' ? { mode: 'good' } : undefined),
      ).toMatchObject({
        status: 409,
        errors: [{ errorCode: 'import-state' }],
      })
    expect((await call('DELETE', `/imports/${page.uuid}`)).status).toBe(204)
    expect((await read(page.uuid)).status).toBe(404)
  })

  it('who are erased are erased from files that wait, too', async () => {
    const practice = await makePractice(crm)
    await makeCustomer(crm, practice, { customerReference: 'gone', email: 'gone@example.org' })
    const page = await upload(practice, 'name,email\nAnn,gone@example.org\nBen,ben@example.org')
    expect((await crm.delete(`${practice.path}/customers/gone`)).status).toBe(204)
    expect((await check(page)).counts).toMatchObject({ CREATED: 1 })
  })
})
