import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { moment } from '../../time.ts'
import { Pending } from '../../ui/Page.tsx'
import { locale } from '../../words.ts'
import { texts } from './words.ts'

type State = Schemas['ServiceStatus']

export function Status() {
  const loaded = useLoad('operator', signal => api.get('/operator', { signal }))
  const state = loaded.data
  return (
    <section class="card stack" aria-labelledby="service">
      <h2 id="service">{texts.system}</h2>
      <Pending of={loaded} rows={5} />
      {state?.outgoing && (
        <p class="trouble" role="alert">
          {texts.paused(moment(state.outgoing.since))} <code>holdfast resume</code>
        </p>
      )}
      {state?.mails.failingSince && (
        <p class="trouble" role="alert">
          {texts.failingSince(moment(state.mails.failingSince))}
        </p>
      )}
      {state && (
        <dl class="facts">
          {factsOf(state).map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

function factsOf({
  version,
  node,
  migration,
  database,
  disk,
  jobs,
  mails,
  retention,
}: State): [string, string][] {
  const by = database.isEmbedded ? `, ${texts.embedded}` : ''
  return [
    [texts.version, `Holdfast ${version}, Node ${node.slice(1)}, ${texts.migration} ${migration}`],
    [texts.database, `PostgreSQL ${database.version}, ${bytes(database.bytes)}${by}`],
    ...(disk ? [[texts.disk, texts.free(bytes(disk.free), bytes(disk.total))] as [string, string]] : []),
    [texts.queue, jobs.waiting === 0 ? texts.noneWaiting : texts.waiting(jobs.waiting, jobs.oldestSeconds)],
    [common.retention, texts.retentionText(retention.mailDays, retention.customerMonths)],
    [texts.mails, mails.hasServer ? texts.mailsText(mails.sent, mails.queued, mails.failed) : texts.noServer],
  ]
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** `12 MB`, formatted for the reader's locale. */
function bytes(count: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3))
  return new Intl.NumberFormat(locale.tag, {
    style: 'unit',
    unit: units[power]!,
    maximumFractionDigits: power > 2 ? 1 : 0,
  }).format(count / 1000 ** power)
}
