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
import { doneBy, type Entry, subjectOf, whatHappened } from '../audit/in-words.ts'
import { texts as eventTexts } from '../audit/words.ts'
import { nouns } from './kinds.ts'
import { texts } from './words.ts'

type About = Query<`/crms/${string}/audit`, 'get'>['about']

/** The latest events in words, each with what integrators receive. */
export function Events({ crm }: { crm: string }) {
  const { params, change } = useFilters()
  const { provider: chosen } = useSession()
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
          <li key={entry.id}>
            <span class="wrap">
              <strong>{whatHappened(entry)}</strong>
              {inWords(entry, zone)}
              <details>
                <summary>
                  <code>{entry.kind}</code>
                </summary>
                <pre class="said">{JSON.stringify(sent(entry), null, 2)}</pre>
              </details>
            </span>
            <time class="soft" dateTime={entry.at}>
              {moment(entry.at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** To whom, at which business, and by whom. */
const inWords = (entry: Entry, zone: string) =>
  [subjectOf(entry, zone), entry.provider, doneBy(entry)]
    .filter(Boolean)
    .map(part => ` · ${part}`)
    .join('')

/** As integrators receive it. */
const sent = ({ id, kind, at, provider, actor, data }: Entry) => ({ id, kind, at, provider, actor, data })
