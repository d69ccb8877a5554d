import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { moment } from '../../time.ts'
import { Chip } from '../../ui/Chip.tsx'
import { ExportButton, exportTexts } from '../../ui/ExportButton.tsx'
import { SelectField } from '../../ui/fields/Field.tsx'
import { Empty, Pending, SectionHead } from '../../ui/Page.tsx'
import { useFilters } from '../../ui/use-filters.tsx'
import { texts } from './request-words.ts'

type Call = Schemas['LoggedRequest']

const statuses = ['2xx', '4xx', '5xx']
const shown = 50
const exportedAtOnce = 500

/** What the API keys of a CRM have called, and how it went. */
export function RequestLog({ crm }: { crm: string }) {
  const { params, change } = useFilters()
  const [status, key] = [params.get('status') ?? '', params.get('key') ?? '']
  const path = `/crms/${encodeURIComponent(crm)}` as const
  const keys = useLoad(`keys-${crm}`, signal => api.get(`${path}/keys`, { signal }))
  const filter = { ...(status ? { status } : {}), ...(key ? { key } : {}) }
  const query = { limit: shown, ...filter }
  const loaded = useLoad(`requests-${crm}-${status}-${key}`, signal =>
    api.get(`${path}/requests`, { query, signal }),
  )
  const requests = loaded.data?.requests
  /** All calls of the log, not only those on the screen. */
  const readPage = async (before: string | null) => {
    const more = { limit: exportedAtOnce, ...filter, ...(before ? { before: Number(before) } : {}) }
    const page = await api.get(`${path}/requests`, { query: more })
    return { rows: page.requests, next: page.next === null ? null : String(page.next) }
  }
  const named = keys.data?.keys.map(({ prefix, label }) => ({
    value: prefix,
    label: label ?? `hf_${prefix}_…`,
  }))
  const nameOf = (prefix: string) => named?.find(one => one.value === prefix)?.label ?? `hf_${prefix}_…`
  return (
    <section class="stack" aria-labelledby="request-log">
      <SectionHead
        id="request-log"
        title={texts.requests}
        text={texts.requestsText}
        action={
          requests &&
          requests.length > 0 && (
            <ExportButton
              file={texts.requests}
              heads={[exportTexts.when, texts.key, common.state, exportTexts.details, 'ms', 'X-Request-Id']}
              cells={(one: Call) => [
                one.at,
                nameOf(one.key),
                one.status,
                [one.route, one.errorCode].filter(Boolean).join(' '),
                one.ms,
                one.requestId,
              ]}
              read={readPage}
            />
          )
        }
      />
      <div class="filters">
        <SelectField
          label={common.state}
          value={status}
          options={[
            { value: '', label: texts.anyStatus },
            ...statuses.map(value => ({ value, label: value })),
          ]}
          onChange={value => change('status', value)}
        />
        <SelectField
          label={texts.key}
          value={key}
          options={[{ value: '', label: texts.anyKey }, ...(named ?? [])]}
          onChange={value => change('key', value)}
        />
      </div>
      <Pending of={loaded} rows={4} />
      {requests?.length === 0 && <Empty>{status || key ? texts.noneFound : texts.noRequests}</Empty>}
      <ul class="lines">
        {requests?.map(one => (
          <li key={one.id}>
            <span class="wrap">
              <code>{one.route}</code>
              <br />
              <span class="soft">
                {[moment(one.at), nameOf(one.key), `${one.ms} ms`, one.errorCode, one.requestId]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {one.standsFor > 1 && <span class="soft"> · {texts.standsFor(one.standsFor)}</span>}
            </span>
            <Chip tone={one.status < 400 ? 'good' : 'bad'}>{String(one.status)}</Chip>
          </li>
        ))}
      </ul>
    </section>
  )
}
