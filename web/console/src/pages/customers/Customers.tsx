import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Link, useSearchParams } from 'wouter-preact'
import { api } from '../../api.ts'
import type { Query } from '../../api-types.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useGo } from '../../navigation.ts'
import { may, useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { typedAhead } from '../../shortcuts.ts'
import { clockAt, format, instant } from '../../time.ts'
import { Button, ButtonFor } from '../../ui/Button.tsx'
import { ExportButton } from '../../ui/ExportButton.tsx'
import { SelectField } from '../../ui/fields/Field.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Empty, Page, Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { NewCustomer } from './CustomerDialog.tsx'
import type { Found } from './records.ts'
import { useTags } from './records.ts'
import { texts } from './words.ts'

/** "Show more" leads to the next of these. */
const smallest = 50
const listSizes = [smallest, 200, 800]
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
  const [order, setOrder] = useState<Order>(orderOf(params.get('order')))
  const asked = `${search}-${tag}-${order}`
  // What is asked for next starts small again.
  const [grown, grow] = useState({ asked, size: sizeOf(params.get('size')) })
  const size = grown.asked === asked ? grown.size : smallest
  useEffect(() => {
    const changed = { search, tag, order, size: size === smallest ? '' : String(size) }
    setParams(Object.fromEntries(Object.entries(changed).filter(([_name, value]) => value)), {
      replace: true,
    })
  }, [asked, size])
  const loaded = useLoad(`customers-${provider.uuid}-${asked}-${size}`, signal =>
    api.get(`/providers/${provider.uuid}/customers`, {
      query: { search: search || null, tag: tag || null, order: order || null, limit: size + 1 },
      signal,
    }),
  )
  // The table stays while it is sorted, and with it the focus on its heads.
  const [kept, keep] = useState({ data: loaded.data, size })
  if (loaded.data && loaded.data !== kept.data) keep({ data: loaded.data, size })
  const shown = loaded.data ?? (loaded.problem ? null : kept.data)
  const shownSize = loaded.data ? size : kept.size
  /** A search has no order to continue in: its file ends with the first 1,000. */
  const readPage = async (before: string | null) => {
    const query = { search: search || null, tag: tag || null, limit: exportedAtOnce, before }
    const { customers: rows } = await api.get(`/providers/${provider.uuid}/customers`, { query })
    const isLast = search !== '' || rows.length < exportedAtOnce
    return { rows, next: isLast ? null : rows.at(-1)!.uuid }
  }
  const customers = shown?.customers.slice(0, shownSize)
  const focusNext = useFirstNew(asked, loaded.data)
  const nextSize = listSizes.find(other => other > shownSize)
  const isCut = (shown?.customers.length ?? 0) > shownSize
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
      {customers && customers.length > 1 && (
        <div class="sort-choice">
          <SelectField
            label={texts.sortBy}
            value={order}
            options={orders}
            onChange={to => setOrder(orderOf(to))}
          />
        </div>
      )}
      <Pending of={shown ? { ...loaded, isLoading: false } : loaded} />
      {customers?.length === 0 && (
        <Empty
          action={
            !(search || tag) &&
            may(provider, 'manage') && (
              <Link class="button" href="/customers/import">
                {texts.importFirst}
              </Link>
            )
          }
        >
          {search || tag ? common.noResults : texts.noCustomers}
        </Empty>
      )}
      {customers && customers.length > 0 && (
        <List customers={customers} zone={provider.timeZone} order={order} onOrder={setOrder} />
      )}
      {isCut && (
        <div class="row">
          <p class="soft">
            {search || tag || order ? texts.showingFirst(shownSize) : texts.showingNewest(shownSize)}
          </p>
          {nextSize && (
            <Button
              busy={loaded.isLoading}
              onClick={() => {
                grow({ asked, size: nextSize })
                focusNext(shownSize)
              }}
            >
              {common.showMore}
            </Button>
          )}
        </div>
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

type Order = NonNullable<Query<`/providers/${string}/customers`, 'get'>['order']> | ''

const orders: { value: Order; label: string }[] = [
  { value: '', label: texts.newestFirst },
  { value: 'name', label: texts.aToZ },
  { value: '-name', label: texts.zToA },
  { value: 'email', label: common.email },
  { value: 'next', label: common.nextAppointment },
]

const sizeOf = (text: string | null) => listSizes.find(size => String(size) === text) ?? smallest

const orderOf = (text: string | null) => orders.find(one => one.value === text)?.value ?? ''

type HeadProps = { name: string; up: Order; down?: Order; order: Order; onOrder: (to: Order) => void }

/** Pressed once, again, and back to how it was. */
function SortHead({ name, up, down, order, onOrder }: HeadProps) {
  const isUp = order === up
  const isDown = down !== undefined && order === down
  return (
    <th aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button type="button" class="sort" onClick={() => onOrder(isUp ? (down ?? '') : isDown ? '' : up)}>
        {name} <span aria-hidden="true">{isUp ? '↑' : isDown ? '↓' : '↕'}</span>
      </button>
    </th>
  )
}

type ListProps = { customers: Found[]; zone: string; order: Order; onOrder: (to: Order) => void }

function List({ customers, zone, order, onOrder }: ListProps) {
  return (
    <div class="table-frame">
      <table class="table cards">
        <thead>
          <tr>
            <SortHead name={common.name} up="name" down="-name" {...{ order, onOrder }} />
            <SortHead name={common.email} up="email" {...{ order, onOrder }} />
            <th>{common.mobileNumber}</th>
            <SortHead name={common.nextAppointment} up="next" {...{ order, onOrder }} />
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

/** "Show more" may be gone when the rows are there: the focus goes on with the first new one. */
function useFirstNew(asked: string, data: unknown): (index: number) => void {
  const wanted = useRef<number | null>(null)
  useEffect(() => {
    wanted.current = null
  }, [asked])
  useLayoutEffect(() => {
    if (wanted.current === null || !data) return
    document.querySelectorAll<HTMLElement>('main tbody th a')[wanted.current]?.focus()
    wanted.current = null
  }, [data])
  return index => {
    wanted.current = index
  }
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
