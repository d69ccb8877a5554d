import { useEffect, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import type { Query } from '../../api-types.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { may, useSession } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { instant, moment } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { ExportButton, exportTexts } from '../../ui/ExportButton.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { SelectField } from '../../ui/fields/Field.tsx'
import { None, Page, Pending } from '../../ui/Page.tsx'
import { useFilters } from '../../ui/use-filters.tsx'
import { nouns } from '../integration/kinds.ts'
import { doneBy, type Entry, subjectOf, whatHappened } from './event-sentence.ts'
import { texts } from './words.ts'

type Asked = Query<`/providers/${string}/audit`, 'get'>
type Found = Schemas['Audit']

/** Who did what, and when. */
export default function Audit() {
  const { me, provider } = useSession()
  const { params, change, clear } = useFilters()
  const crm = me.crm ?? provider?.crm ?? null
  const about = params.get('about') ?? ''
  const actor = params.get('actor') ?? ''
  const isWhole = may(me, 'crm') && (params.get('of') === 'crm' || !provider)
  const path =
    isWhole && crm ? (`/crms/${crm}/audit` as const) : (`/providers/${provider?.uuid}/audit` as const)
  // Values from the address are passed on unchecked: the service refuses unknown ones.
  const query = {
    about: (about || null) as Asked['about'],
    actor: (actor || null) as Asked['actor'],
    limit: 50,
  }
  const loaded = useLoad(`audit-${path}-${about}-${actor}`, signal => api.get(path, { query, signal }))
  const [older, setOlder] = useState<Found[]>([])
  const { busy, run } = useSubmit()
  useEffect(() => setOlder([]), [path, about, actor])
  const pages = loaded.data ? [loaded.data, ...older] : []
  const next = pages.at(-1)?.next
  const more = async () => {
    const page = await run(() => api.get(path, { query: { ...query, before: next ?? null } }))
    if (page) setOlder(before => [...before, page])
  }
  const entries = pages.flatMap(page => page.entries)
  // Events have more nouns than the filter accepts.
  const abouts = Object.fromEntries(Object.entries(texts.nouns).filter(([noun]) => nouns.includes(noun)))
  const choices = (all: string, names: Record<string, string>) => [
    { value: '', label: all },
    ...Object.entries(names).map(([value, label]) => ({ value, label })),
  ]
  return (
    <Page
      title={shell.audit}
      action={
        entries.length > 0 && (
          <ExportButton
            file={shell.audit}
            heads={[exportTexts.when, common.subject, exportTexts.details, texts.actor]}
            cells={(one: Entry) => [
              moment(one.at, provider?.timeZone),
              whatHappened(one),
              subjectOf(one, provider?.timeZone),
              doneBy(one),
            ]}
            read={async before => {
              const page = await api.get(path, { query: { ...query, limit: 100, before } })
              return { rows: page.entries, next: page.next }
            }}
          />
        )
      }
    >
      <div class="filters">
        {may(me, 'crm') && crm && provider && (
          <SelectField
            label={texts.scope}
            value={isWhole ? 'crm' : ''}
            options={[
              { value: '', label: provider.name },
              { value: 'crm', label: texts.wholeCrm(crm) },
            ]}
            onChange={value => change('of', value)}
          />
        )}
        <SelectField
          label={common.subject}
          value={about}
          options={choices(texts.all, abouts)}
          onChange={value => change('about', value)}
        />
        <SelectField
          label={texts.actor}
          value={actor}
          options={choices(texts.everyone, texts.actors)}
          onChange={value => change('actor', value)}
        />
      </div>
      <Pending of={loaded} />
      {loaded.data && entries.length === 0 && (
        <None isFiltered={Boolean(about || actor)} onClear={clear}>
          {texts.none}
        </None>
      )}
      {entries.length > 0 && (
        <ol class="lines">
          {groupsOf(entries).map(group => (
            <Group key={group[0]!.id} group={group} zone={provider?.timeZone} />
          ))}
        </ol>
      )}
      {next && (
        <div class="row">
          <Button busy={busy} onClick={more}>
            {common.showOlder}
          </Button>
        </div>
      )}
    </Page>
  )
}

/** What the same person did within a minute. */
function groupsOf(entries: Entry[]): Entry[][] {
  const groups: Entry[][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    if (group && doneBy(group[0]!) === doneBy(entry) && minuteOf(group[0]!) === minuteOf(entry))
      group.push(entry)
    else groups.push([entry])
  }
  return groups
}

const minuteOf = ({ at }: Entry) => Math.floor(instant(at) / 60_000)

/** More are folded. */
const mostUnfolded = 4

function Group({ group, zone }: { group: Entry[]; zone: string | undefined }) {
  const [first] = group as [Entry, ...Entry[]]
  const lines = group.map(entry => <Line key={entry.id} entry={entry} zone={zone} />)
  return (
    <li>
      <span class="wrap">
        <span class="soft">{doneBy(first)}</span>
        {lines.slice(0, group.length > mostUnfolded ? mostUnfolded - 1 : mostUnfolded)}
        {group.length > mostUnfolded && (
          <details>
            <summary>{texts.further(group.length - mostUnfolded + 1)}</summary>
            {lines.slice(mostUnfolded - 1)}
          </details>
        )}
      </span>
      <time class="soft" dateTime={first.at}>
        {moment(first.at, zone)}
      </time>
    </li>
  )
}

function Line({ entry, zone }: { entry: Entry; zone: string | undefined }) {
  const subject = subjectOf(entry, zone)
  return (
    <p>
      <strong>{whatHappened(entry)}</strong>
      {subject && ` · ${subject}`}
    </p>
  )
}
