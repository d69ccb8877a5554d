import pg from 'pg'
import { compare } from '../lib/compare.ts'
import { atLeast, type Row, reported } from '../lib/report.ts'
import { inParallel, makePractice, post } from '../lib/seed.ts'
import { onStage } from '../lib/stage.ts'

const resources = 2000
const width = 8

/** An integrator who sends all its Resources every night, one call each: new, and unchanged. Beside a bare insert of the rows. */
export const sync = (): Promise<Row[]> =>
  onStage(
    async ({ service }) => {
      const { path } = await makePractice(service, 0, 0)
      let round = 0
      const send = async (number: number) => {
        const begun = performance.now()
        await inParallel(
          Array.from({ length: resources }, (_, index) => index),
          width,
          index =>
            post(service, `${path}/resources`, {
              reference: `sync-${number}-${index}@bench`,
              publicName: `Room ${index}`,
              internalName: `R${index}`,
              description: 'A room with a view.',
            }),
        )
        return resources / ((performance.now() - begun) / 1000)
      }
      const pool = new pg.Pool({ ...service.database, max: width })
      await pool.query('create table bare_resource (like resource including all)')
      const insert = async () => {
        const begun = performance.now()
        await inParallel(
          Array.from({ length: resources }, (_, index) => index),
          width,
          index =>
            pool.query({
              name: 'insert',
              text: `insert into bare_resource (id, provider_id, reference, public_name, internal_name, description)
              overriding system value values ((random() * 1e15)::bigint, 1, $1, $2, $3, 'A room with a view.')`,
              values: [`bare-${round}-${index}-${begun}`, `Room ${index}`, `R${index}`],
            }),
        )
        return resources / ((performance.now() - begun) / 1000)
      }
      const created = await compare(() => send(++round), insert, 3)
      const again = await compare(
        () => send(round),
        () => send(++round),
        3,
      )
      await pool.end()
      return [
        atLeast('Resources created, one call each', 'a second', created, 0.35),
        atLeast('the same again, unchanged, to created', 'a second', again, 2),
        reported('in batches', 'there is no such call'),
      ]
    },
    { data: 'none' },
  )
