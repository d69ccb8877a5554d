import { api } from '../../api.ts'
import type { Query } from '../../api-types.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { moment } from '../../time.ts'
import { SelectField } from '../../ui/fields/Field.tsx'
import { Empty, Pending, SectionHead } from '../../ui/Page.tsx'
import { useFilters } from '../../ui/use-filters.tsx'
import { nouns } from './kinds.ts'
import { texts } from './words.ts'

type About = Query<`/crms/${string}/audit`, 'get'>['about']

/** The latest events, as integrators receive them. */
export function Events({ crm }: { crm: string }) {
  const { params, change } = useFilters()
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
          options={['', ...nouns].map(value => ({ value, label: value ? `${value}.*` : texts.allEvents }))}
          onChange={value => change('about', value)}
        />
      </div>
      <Pending of={loaded} rows={4} />
      {entries?.length === 0 && <Empty>{texts.noEvents}</Empty>}
      <ul class="lines">
        {entries?.map(({ id, kind, at, provider, actor, data }) => (
          <li key={id}>
            <details class="wrap">
              <summary>
                <code>{kind}</code>{' '}
                <span class="soft">{[provider, actor.kind].filter(Boolean).join(' · ')}</span>
              </summary>
              <pre class="said">{JSON.stringify({ id, kind, at, provider, actor, data }, null, 2)}</pre>
            </details>
            <time class="soft" dateTime={at}>
              {moment(at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
