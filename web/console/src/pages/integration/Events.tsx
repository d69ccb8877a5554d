import { browserZone } from '#shared/zones.ts'
import { api } from '../../api.ts'
import type { Query } from '../../api-types.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useSession } from '../../session.ts'
import { moment } from '../../time.ts'
import { SelectField } from '../../ui/fields/Field.tsx'
import { Empty, Pending, SectionHead } from '../../ui/Page.tsx'
import { useFilters } from '../../ui/use-filters.tsx'
import { doneBy, type Entry, subjectOf, whatHappened } from '../audit/event-sentence.ts'
import { texts as eventTexts } from '../audit/words.ts'
import { nouns } from './kinds.ts'
import { texts } from './words.ts'

type About = Query<`/crms/${string}/audit`, 'get'>['about']

/** The latest events in words, each with what integrators receive. */
export function Events({ crm }: { crm: string }) {
  const { params, change } = useFilters()
  const { provider: chosen, providers } = useSession()
  const nameOf = (reference: string | null) => providers.find(one => one.reference === reference)?.name
  const zone = chosen?.timeZone ?? browserZone()
  const about = params.get('about') ?? ''
  const query = { about: (about || null) as About, limit: 25 }
  const loaded = useLoad(`events-${crm}-${about}`, signal =>
    api.get(`/crms/${encodeURIComponent(crm)}/audit`, { query, signal }),
  )
  const entries = loaded.data?.entries
  return (
    <section class="stack" aria-labelledby="events">
      <SectionHead id="events" title={texts.events} text={texts.eventsText} />
      <div class="filters">
        <SelectField
          label={common.subject}
          value={about}
          options={['', ...nouns].map(value => ({
            value,
            label: value ? `${eventTexts.nouns[value] ?? value} (${value}.*)` : texts.allEvents,
          }))}
          onChange={value => change('about', value)}
        />
      </div>
      <Pending of={loaded} rows={4} />
      {entries?.length === 0 && <Empty>{texts.noEvents}</Empty>}
      <ul class="lines">
        {entries?.map(entry => (
          <Line key={entry.id} entry={entry} business={nameOf(entry.provider)} zone={zone} />
        ))}
      </ul>
    </section>
  )
}

type LineProps = { entry: Entry; business: string | undefined; zone: string }

/** What happened, to whom and by whom. */
function Line({ entry, business, zone }: LineProps) {
  const { id, kind, at, provider, actor, data } = entry
  const subject = subjectOf(entry, zone)
  return (
    <li>
      <span class="wrap">
        <strong>{whatHappened(entry)}</strong>
        {subject && ` · ${subject}`}
        <br />
        <span class="soft">{[business, doneBy(entry)].filter(Boolean).join(' · ')}</span>
        <details>
          <summary>
            <code>{kind}</code>
          </summary>
          {/* As integrators receive it. */}
          <pre class="said">{JSON.stringify({ id, kind, at, provider, actor, data }, null, 2)}</pre>
        </details>
      </span>
      <time class="soft" dateTime={at}>
        {moment(at, zone)}
      </time>
    </li>
  )
}
