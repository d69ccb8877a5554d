import { answeredText, besideRows, loadBeside } from '../lib/beside.ts'
import { type Row, reported } from '../lib/report.ts'
import { onStage } from '../lib/stage.ts'
import { visitor, visitSeconds } from '../lib/visits.ts'
import { requestText } from '../load/connection.ts'

/** 600 a minute. */
const perSecond = 10
/** More than the service lets wait. */
const connections = 40

/** Lists and holds while wrong passwords arrive, from one address and from a different one each time. */
export const passwordFlood = (): Promise<Row[]> =>
  onStage(
    async stage => {
      const flood = (name: string, requests: string[]) => {
        const statuses: Record<string, number> = {}
        const plan = {
          port: stage.service.port,
          connections,
          pace: perSecond,
          work: { kind: 'cycle' as const, requests },
        }
        return { statuses, name, beside: loadBeside(name, plan, visitSeconds, statuses) }
      }
      const floods = [
        flood('wrong passwords from one address', [wrongPassword('198.51.100.1', 0)]),
        flood(
          'wrong passwords from many addresses',
          Array.from({ length: 10_000 }, (_, index) => wrongPassword(addressOf(index), index)),
        ),
      ]
      const rows = await besideRows(
        await visitor(stage),
        floods.map(one => one.beside),
      )
      return [...rows, ...floods.map(({ name, statuses }) => reported(name, answeredText(statuses)))]
    },
    { env: { TRUST_PROXY: 'true' } },
  )

const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`

function wrongPassword(address: string, index: number): string {
  const body = { email: `staff${index % 50}@example.org`, password: `wrong password ${index}` }
  return requestText('POST', '/console/api/session/password', { 'x-forwarded-for': address }, body)
}
