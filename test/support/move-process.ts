// Moves a CRM in a process of its own, which kills itself at the step that MOVE names.

import { openDb } from '../../src/db/base/pool.ts'
import { findCrm } from '../../src/db/setup/crms.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import { moveTenant } from '../../src/start/move-tenant.ts'

const { source, target, address, pauseSeconds, killAt } = JSON.parse(process.env.MOVE!)
const db = openDb(source.connection)
const crm = (await findCrm(db, 'crm'))!
await db.close()
const sideOf = (side: typeof source) => ({
  connection: side.connection,
  signer: makeSigner(side.secret),
  name: side.connection.database,
})
const moved = await moveTenant({
  crm,
  source: sideOf(source),
  target: sideOf(target),
  address,
  pauseSeconds,
  step: (name, detail = '') => {
    process.stdout.write(`${name} ${detail}\n`)
    if (name === killAt) process.kill(process.pid, 'SIGKILL')
  },
})
process.stdout.write(JSON.stringify(moved))
