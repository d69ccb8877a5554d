// Moves a CRM in a process of its own. At the step that MOVE names, it kills other processes, or itself.

import { openDb } from '../../src/db/base/pool.ts'
import { findCrm } from '../../src/db/setup/crms.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import { moveTenant } from '../../src/start/move-tenant.ts'

const { source, target, address, pauseSeconds, killAt, victims } = JSON.parse(process.env.MOVE!)
const db = openDb(source.connection)
const crm = (await findCrm(db, 'crm'))!
await db.close()
const sideOf = (side: typeof source) => ({
  connection: side.connection,
  signer: makeSigner(side.secret),
  name: side.name ?? side.connection.database,
})
const moved = await moveTenant({
  crm,
  source: sideOf(source),
  target: sideOf(target),
  address,
  pauseSeconds,
  step: (name, detail = '') => {
    process.stdout.write(`${name} ${detail}\n`)
    if (name === killAt) for (const pid of victims ?? [process.pid]) process.kill(pid, 'SIGKILL')
  },
})
process.stdout.write(JSON.stringify(moved))
