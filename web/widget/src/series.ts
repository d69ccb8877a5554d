import type { Good, Operation } from '#shared/api-types.ts'
import { rhythms, seriesTexts } from '#shared/series-texts.ts'
import type { Api } from './api.ts'
import type { State } from './state.ts'
import type { Store } from './store.ts'
import type { Words } from './words.ts'

// Several dates in one booking, loaded where the channel allows it. All dates are held as soon as they are
// shown, so what is shown is what is booked.

type HeldDate = Good<Operation<'/resources/{ref}/reserve_series', 'post'>>['dates'][number]
/** Kept over a reload, so that the visitor's own holds are not in their way. */
type Kept = { rhythm: string; count: string; ids: string[] }

type Form = {
  element: HTMLElement
  store: Store
  api: Api
  words: Words
  touch: () => void
  places: () => number
  kept: Kept | undefined
  keep: (kept: Kept | undefined) => void
}

export function askSeries({ element, store, api, words, touch, places, kept, keep }: Form) {
  const texts = seriesTexts[words.language]
  const rhythm = select('series-rhythm', ['', ...rhythms], one => (one ? texts.rhythms[one] : texts.once))
  const numbers = Array.from({ length: maxOf(store.get()) - 1 }, (_, index) => `${index + 2}`)
  const count = select('series-count', numbers, one => one)
  const counting = field(texts.count, count)
  const list = make('ul', '')
  const shown = make('div', 'wide', make('p', 'soft', texts.dates), list)
  const error = make('p', 'error wide')
  const box = make('div', 'fields', field(texts.rhythm, rhythm), counting, shown, error)
  let dates: HeldDate[] = []
  let ids = kept?.ids ?? []
  let off: string[] = []
  let instead: Record<string, string> = {}
  let planning = Promise.resolve()
  let expiresAt = store.get().hold?.expiresAt ?? 0
  let isOver = false
  error.role = 'alert'
  count.value = kept?.count ?? numbers[2] ?? numbers.at(-1)!
  rhythm.value = kept?.rhythm ?? ''
  element.querySelector('.fields')!.before(box)
  rhythm.onchange = count.onchange = () => {
    touch()
    off = []
    instead = {}
    replan()
  }

  const isHeld = (one: HeldDate) => one.placeholder_id !== null
  const isChosen = (one: HeldDate) => isHeld(one) && !off.includes(one.date)
  const say = (text: string) => {
    error.textContent = text
    show(error, text)
  }

  function replan() {
    planning = planning.then(plan).catch(problem => {
      // Such as a rule beyond the limit.
      if (problem.kind === 'invalid') forget()
      say(problem.kind === 'invalid' ? texts.wrong : words.texts.serverError)
    })
    return planning
  }

  async function plan() {
    const { slot, hold, product } = store.get()
    if (isOver || !slot || !hold) return
    say('')
    if (!rhythm.value) return forget()
    const [every, unit] = rhythm.value.split(' ')
    const own = [hold.placeholder, ...ids.filter(one => one !== hold.placeholder)]
    const before = dates.filter(isChosen).map(one => one.date)
    const answer = await api.ask('post', '/resources/{ref}/reserve_series', {
      path: { ref: refOf(store.get()) },
      query: api.channel,
      body: {
        timeslot_uuid: slot.timeslot,
        product_uuid: slot.product ?? product!,
        from: new Date(slot.start).toISOString(),
        to: new Date(slot.end).toISOString(),
        rule: { unit: unit as 'week', every: Number(every), count: Number(count.value) },
        instead: Object.entries(instead).map(([date, from]) => ({ date, from })),
        placeholder_ids: own,
        place_count: places(),
      },
    })
    dates = answer.dates
    ids = dates.flatMap(one => one.placeholder_id ?? [])
    keep({ rhythm: rhythm.value, count: count.value, ids })
    const first = dates.find(isHeld)
    if (first) {
      expiresAt = Date.parse(first.expiresAt!)
      const placeholder = first.placeholder_id!
      store.set({ placeholder, hold: { ...hold, placeholder, expiresAt } })
    }
    draw()
    const isSame = rhythm.value === drawn
    drawn = rhythm.value
    if (isSame && dates.some(one => before.includes(one.date) && !isHeld(one))) say(texts.lost)
  }
  let drawn = ''

  /** Back to one date: that of the widget. */
  function forget() {
    const { hold } = store.get()
    releaseAll(ids.filter(one => one !== hold?.placeholder))
    dates = []
    ids = []
    keep(undefined)
    draw()
  }

  function releaseAll(some: string[]) {
    for (const one of some) void api.release(refOf(store.get()), one)
  }

  function draw() {
    list.replaceChildren(...dates.map(line))
    show(counting, rhythm.value)
    show(shown, dates.length > 0)
  }

  function line(one: HeldDate, index: number): HTMLElement {
    const name = (start: string) => words.format.when(Date.parse(start), store.get().zone)
    if (isHeld(one)) {
      const input = document.createElement('input')
      input.type = 'checkbox'
      input.checked = isChosen(one)
      input.onchange = () => {
        touch()
        off = input.checked ? off.filter(date => date !== one.date) : [...off, one.date]
      }
      const label = make('label', 'agree', input, ` ${name(one.start)}`)
      label.style.fontWeight = '400'
      return make('li', '', label)
    }
    const head = make('p', '', make('s', '', name(one.start)), ` ${texts.taken}`)
    if (one.nearest.length === 0) return make('li', '', head)
    const other = select(`series-instead-${index}`, ['', ...one.nearest.map(time => time.start)], start =>
      start ? name(start) : texts.nothing,
    )
    other.onchange = () => {
      touch()
      instead[one.date] = other.value
      void replan().then(() => list.querySelectorAll<HTMLElement>('input,select')[index]?.focus())
    }
    return make('li', 'field', head, field(texts.instead, other))
  }

  // The widget renews or releases the first date; the others follow.
  const stop = store.listen(() => {
    const { step, hold } = store.get()
    if (isOver || step === 'loading') return
    if (step !== 'form' || !element.isConnected) {
      isOver = true
      stop()
      if (step !== 'done') releaseAll(ids)
      keep(undefined)
    } else if (rhythm.value && hold && hold.expiresAt > expiresAt) {
      expiresAt = hold.expiresAt
      void replan()
    }
  })

  say('')
  draw()
  if (kept) void replan()
  return {
    replan,
    /** What is added to the booking; null if no date is chosen. */
    async chosen(): Promise<{ placeholder_ids?: string[] } | null> {
      await planning
      if (dates.length === 0) return {}
      const some = dates.filter(isChosen).sort((a, b) => Date.parse(a.start) - Date.parse(b.start))
      if (some.length === 0) {
        say(texts.noneChosen)
        rhythm.focus()
        return null
      }
      return { placeholder_ids: some.map(one => one.placeholder_id!) }
    },
    /** Releases what the visitor did not want. */
    done: () =>
      releaseAll(dates.filter(one => isHeld(one) && !isChosen(one)).map(one => one.placeholder_id!)),
    /** A hold expired meanwhile. */
    async lost() {
      await replan()
      say(texts.lost)
    },
  }
}

const placeOf = ({ places, slot }: State) => places.find(one => one.resource.uuid === slot?.resource)
const refOf = (state: State) => placeOf(state)?.ref ?? state.slot?.resource ?? ''
const maxOf = (state: State) => placeOf(state)?.channel.seriesMax ?? 2

function make(tag: string, className: string, ...content: (Node | string)[]): HTMLElement {
  const node = document.createElement(tag)
  node.className = className
  node.append(...content)
  return node
}

/** The styles of the widget would show a hidden grid. */
function show(node: HTMLElement, isShown: unknown) {
  node.style.display = isShown ? '' : 'none'
}

function select<T extends string>(id: string, values: readonly T[], name: (one: T) => string) {
  const node = document.createElement('select')
  node.id = id
  node.append(...values.map(one => new Option(name(one), one)))
  return node
}

function field(text: string, control: HTMLElement): HTMLElement {
  const label = make('label', '', text) as HTMLLabelElement
  label.htmlFor = control.id
  return make('div', 'field', label, control)
}
