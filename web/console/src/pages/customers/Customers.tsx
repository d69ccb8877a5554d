import { useEffect, useState } from 'preact/hooks'
import { Link, useSearchParams } from 'wouter-preact'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useGo } from '../../navigation.ts'
import { may, useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { typedAhead } from '../../shortcuts.ts'
import { clockAt, format, instant } from '../../time.ts'
import { ButtonFor } from '../../ui/Button.tsx'
import { ExportButton } from '../../ui/ExportButton.tsx'
import { SelectField } from '../../ui/fields/Field.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Empty, Page, Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { NewCustomer } from './CustomerDialog.tsx'
import type { Found } from './records.ts'
import { useTags } from './records.ts'
import { texts } from './words.ts'

const mostShown = 50
const exportedAtOnce = 1000

/** Searches while typing; the address keeps the query, so that Back restores the list. */
export default function Customers() {
  const provider = useProvider()
  const go = useGo()
  const [params, setParams] = useSearchParams()
  const [typed, setTyped] = useState(() => typedAhead() || (params.get('search') ?? ''))
  const [isAdding, setAdding] = useState(false)
  const search = useSettled(typed)
  const tags = useTags()
  const [tag, setTag] = useState(params.get('tag') ?? '')
  useEffect(() => {
    setParams({ ...(search && { search }), ...(tag && { tag }) }, { replace: true })
  }, [search, tag])
  const loaded = useLoad(`customers-${provider.uuid}-${search}-${tag}`, signal =>
    api.get(`/providers/${provider.uuid}/customers`, {
      query: { search: search || null, tag: tag || null, limit: mostShown + 1 },
      signal,
    }),
  )
  /** A search has no order to continue in: its file ends with the first 1,000. */
  const readPage = async (before: string | null) => {
    const query = { search: search || null, tag: tag || null, limit: exportedAtOnce, before }
    const { customers: rows } = await api.get(`/providers/${provider.uuid}/customers`, { query })
    const isLast = search !== '' || rows.length < exportedAtOnce
    return { rows, next: isLast ? null : rows.at(-1)!.uuid }
  }
  const customers = loaded.data?.customers.slice(0, mostShown)
  const isCut = (loaded.data?.customers.length ?? 0) > mostShown
  return (
    <Page
      title={shell.customers}
      action={
        <>
          {customers && customers.length > 0 && (
            <ExportButton
              file={shell.customers}
              heads={[
                common.name,
                common.email,
                common.mobileNumber,
                texts.birthDate,
                common.emailLanguage,
                texts.tags,
                common.nextAppointment,
                texts.reference,
              ]}
              cells={(one: Found) => [
                one.name,
                one.email,
                one.mobile,
                one.birthDate,
                one.language,
                one.tags.join(', '),
                one.next && clockAt(instant(one.next.start), provider.timeZone).replace('T', ' '),
                one.reference,
              ]}
              read={readPage}
            />
          )}
          <ButtonFor right="add-customers" kind="main" onClick={() => setAdding(true)}>
            {texts.add}
          </ButtonFor>
        </>
      }
    >
      <SearchField label={texts.search} value={typed} onInput={setTyped} />
      {(tags.length > 0 || tag || may(provider, 'add-customers')) && (
        <div class="row bottom">
          {(tags.length > 0 || tag) && (
            <SelectField
              label={texts.tags}
              value={tag}
              options={[
                { value: '', label: texts.allTags },
                ...[...new Set(tag ? [tag, ...tags] : tags)].map(value => ({ value, label: value })),
              ]}
              onChange={setTag}
            />
          )}
          {may(provider, 'add-customers') && <Link href="/customers/duplicates">{texts.findDuplicates}</Link>}
          {may(provider, 'manage') && <Link href="/customers/import">{texts.import}</Link>}
        </div>
      )}
      <Pending of={loaded} />
      {customers?.length === 0 && <Empty>{search || tag ? common.noResults : texts.noCustomers}</Empty>}
      {customers && customers.length > 0 && <List customers={customers} zone={provider.timeZone} />}
      {isCut && (
        <p class="soft">{search || tag ? texts.showingFirst(mostShown) : texts.showingNewest(mostShown)}</p>
      )}
      {isAdding && (
        <NewCustomer
          onClose={() => setAdding(false)}
          onDone={made => {
            showToast(texts.added(made.name))
            go(`/customers/${made.uuid}`)
          }}
        />
      )}
    </Page>
  )
}

function List({ customers, zone }: { customers: Found[]; zone: string }) {
  return (
    <div class="table-frame">
      <table class="table cards">
        <thead>
          <tr>
            <th>{common.name}</th>
            <th>{common.email}</th>
            <th>{common.mobileNumber}</th>
            <th>{common.nextAppointment}</th>
          </tr>
        </thead>
        <tbody>
          {customers.map(one => (
            <tr key={one.uuid}>
              <th scope="row">
                <Link href={`/customers/${one.uuid}`}>{one.name}</Link>
                {one.tags.map(tag => (
                  <span key={tag} class="tag">
                    {tag}
                  </span>
                ))}
              </th>
              <td>{one.email}</td>
              <td class="figures">{one.mobile && <a href={`tel:${one.mobile}`}>{one.mobile}</a>}</td>
              <td>
                {one.next && <span class="only-phone-word soft">{common.nextAppointment}: </span>}
                {one.next && (
                  <Link href={`/customers/${one.uuid}?appointment=${one.next.appointmentUuid}`}>
                    {format.when(instant(one.next.start), zone)}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Debounces the search text. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text.trim()), 150)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
