import type { Product } from '#shared/api-types.ts'
import {
  checkAnswers,
  type FormQuestion,
  isTick,
  lengthOf,
  type Problem,
} from '../../../src/rules/questions/questions.ts'
import { leadOf, problemText } from '../../../src/rules/questions/words.ts'
import type { Api } from './api.ts'
import type { Store } from './store.ts'
import type { Words } from './words.ts'

// The questions of a Product, loaded only if it has some. Plain elements, so that the main file, which every
// visitor loads, shares no code with it.

type Values = Record<string, unknown>
type Line = { question: FormQuestion; node: HTMLElement; control: HTMLElement; error: HTMLElement }

/**
 * Marks what is wrong. Otherwise sends the answers; if the service refuses some, the questions have changed
 * and are loaded again.
 */
export type AskedQuestions = (send?: (more: Asked, said?: string) => Promise<void>) => Promise<void>

/** What is added to the request. */
export type Asked = {
  answers?: Values
  place_count?: number
  place_names?: string[]
  placeholder_ids?: string[]
}

const head = {
  de: 'Bitte prüfen:',
  en: 'Please check:',
  es: 'Compruebe:',
  fr: 'À vérifier :',
  it: 'Controlli:',
}

export async function askQuestions(
  element: HTMLElement,
  offered: Product,
  api: Api,
  words: Words,
  touch: () => void,
  store: Store,
): Promise<AskedQuestions> {
  const { language, texts } = words
  const { get } = store
  const product = offered.uuid
  const fields = element.querySelector('.fields')
  const box = make('div', 'fields wide')
  // A booking that is moved has no other fields.
  if (fields) fields.append(box)
  else element.querySelector('.main-button')!.before(box)
  const storage = `holdfast answers ${fields ? '' : 'move '}${product}`
  const values = recall(storage)
  const status = make('p', 'unseen')
  const summary = make('div', 'error field wide')
  status.role = 'status'
  summary.style.display = 'none'
  // A move takes along as many as were booked.
  const most = fields ? Math.min(offered.maxPlaces, get().slot?.seatsLeft ?? 1) : 1
  const places = most > 1 ? (await import('./places.ts')).placeForm(offered, most, language) : null
  const series =
    fields && get().places.find(one => one.resource.uuid === get().slot?.resource)?.channel.series
      ? (await import('./series.ts')).askSeries({
          element,
          store,
          api,
          words,
          touch,
          places: () => places?.count(values) ?? 1,
          kept: values.series as never,
          keep(kept) {
            values.series = kept
            remember(storage, values)
          },
        })
      : null
  /** The last request for another number of places. */
  let holding = Promise.resolve()
  let held = 1
  let asked: FormQuestion[] = []
  let form: FormQuestion[] = []
  let lines: Line[] = []

  /** Above the first field: it lists what is wrong with all of them. */
  ;(fields ?? box).before(summary)
  element.addEventListener('input', () => summarize(false))

  async function load() {
    asked = (await (fields ? ofProduct() : ofMove())) as FormQuestion[]
    draw()
  }

  function draw() {
    form = [...(places?.questions(values) ?? []), ...asked]
    lines = form.map(question => lineOf(question, values, texts.optional, changed))
    box.replaceChildren(...lines.map(line => line.node), status)
    show()
  }

  async function ofProduct() {
    const query = { prdRefs: [product], languageTag: language }
    return (await api.ask('post', '/products/specific_products', { query }))[0]?.questions ?? []
  }

  /** The booking keeps its answers: only what it has none to. */
  async function ofMove() {
    const query = { prdRef: product, languageTag: language }
    const days = await api.ask('get', '/bookables/cancelable_bookable', { query, ...api.signed })
    return Object.values(days)[0]![0]!.questions
  }

  function changed(key: string, value: unknown) {
    touch()
    values[key] = value
    remember(storage, values)
    mark(lines.find(line => line.question.key === key)!, '')
    if (key === places?.key) return choosePlaces()
    const appeared = show()
    status.textContent = appeared.map(({ question }) => question.label).join(', ')
  }

  /** Holds them; with as many names as places. If too few are left, the number goes back to what is held. */
  function choosePlaces() {
    const count = places!.count(values)
    draw()
    lines[0]!.control.focus()
    holding = holding
      .then(() => places!.hold(api, get(), count))
      .then(() => series?.replan())
      .then(() => {
        held = count
      })
      .catch(error => {
        // Other problems show when the booking is sent.
        if (error.kind !== 'taken' || places!.count(values) !== count) return
        values[places!.key] = `${held}`
        draw()
        mark(lines[0]!, places!.tooFew)
      })
  }

  /** Hides what does not apply; returns what has appeared. */
  function show(): Line[] {
    const { visible } = checkAnswers(form, values)
    return lines.filter(line => {
      const wasHidden = line.node.hidden
      line.node.hidden = !visible.includes(line.question)
      line.node.style.display = line.node.hidden ? 'none' : ''
      return wasHidden && !line.node.hidden
    })
  }

  function check(): Values | null {
    const { answers, problems } = checkAnswers(form, values)
    const textOf = (line: Line) => {
      const problem = problems.find(one => one.key === line.question.key)
      if (!problem) return ''
      return places?.problemOf(problem.key) || problemText(line.question, problem as Problem, language)
    }
    for (const line of lines) mark(line, textOf(line))
    summarize(true)
    return problems.length > 0 ? null : answers
  }

  /** After the widget has marked its own fields. The list shrinks while they are corrected. */
  function summarize(isNew: boolean) {
    if (!isNew && !summary.firstChild) return
    requestAnimationFrame(() => {
      const wrong = [...element.querySelectorAll<HTMLElement>('[aria-invalid="true"]')]
      summary.role = isNew ? 'alert' : null
      summary.style.display = wrong.length > 0 ? '' : 'none'
      summary.replaceChildren(
        ...(wrong.length > 0 ? [make('strong', '', head[language]), ...wrong.map(linkTo)] : []),
      )
      if (isNew) wrong[0]?.focus()
    })
  }

  function linkTo(control: HTMLElement): HTMLElement {
    const around = control.closest('.field, .trust')!
    // Without the box before it, and without "(optional)" after it.
    const label = [...around.querySelector('label, legend')!.childNodes].filter(one => one.nodeType === 3)
    const name = label.map(one => one.textContent).join('')
    const text = `${leadOf(name.trim())}${around.querySelector('.error')?.textContent}`
    const link = make('button', 'link', text) as HTMLButtonElement
    link.type = 'button'
    link.style.cssText = 'justify-self:start;text-align:start'
    link.onclick = () => control.focus()
    return link
  }

  await load()
  // Chosen before a reload.
  if (places && places.count(values) > 1) choosePlaces()
  return async send => {
    await holding
    const checked = check()
    const dates = (await series?.chosen()) ?? (series ? null : {})
    if (!checked || !dates || !send) return
    try {
      await (places
        ? send({ ...places.split(checked, asked.length > 0), ...dates }, places.said(checked))
        : send({ answers: checked, ...dates }))
      series?.done()
      remember(storage, null)
    } catch (error) {
      if (dates.placeholder_ids && (error as { kind?: string }).kind === 'taken') return series!.lost()
      if (!(error as { field?: string }).field?.startsWith('answers')) throw error
      await load()
      check()
    }
  }
}

function make(tag: string, className: string, text = ''): HTMLElement {
  const node = document.createElement(tag)
  node.className = className
  node.textContent = text
  return node
}

function mark({ control, error }: Line, text: string) {
  error.textContent = text
  error.hidden = !text
  control.setAttribute('aria-invalid', String(Boolean(text)))
}

type Changed = (key: string, value: unknown) => void

function lineOf(question: FormQuestion, values: Values, optional: string, changed: Changed): Line {
  const { key, type, label, help, required } = question
  const id = `answer-${key}`
  const node = make(type === 'choices' ? 'fieldset' : 'div', 'field wide')
  node.style.cssText = 'border:0;margin:0;padding:0;min-width:0'
  const error = make('p', 'error')
  error.id = `${id}-error`
  error.hidden = true
  const hint = make('p', 'soft', help ?? '')
  hint.id = `${id}-help`
  hint.style.whiteSpace = 'pre-line'
  const caption = make(type === 'choices' ? 'legend' : 'label', isTick(question) ? 'agree' : '', label)
  if (!required && !isTick(question)) {
    const mark = make('span', 'soft', ` (${optional})`)
    mark.style.fontWeight = '400'
    caption.append(mark)
  }
  const control = type === 'choices' ? node : controlOf(question, values[key], changed)
  if (type === 'choices') node.append(caption, ...boxesOf(question, values[key], changed))
  else if (isTick(question)) {
    caption.prepend(control, ' ')
    node.append(caption)
  } else {
    ;(caption as HTMLLabelElement).htmlFor = id
    node.append(caption, control)
  }
  caption.style.cssText = isTick(question) ? 'font-weight:400' : 'font-weight:600;padding:0'
  control.id = id
  control.tabIndex = type === 'choices' ? -1 : 0
  control.setAttribute('aria-describedby', help ? `${hint.id} ${error.id}` : error.id)
  if (type !== 'choices') control.ariaRequired = String(required)
  node.append(...(help ? [hint] : []), error)
  return { question, node, control, error }
}

function boxesOf({ key, options }: FormQuestion, value: unknown, changed: Changed): HTMLElement[] {
  let chosen = Array.isArray(value) ? value : []
  return options.map(option => {
    const label = make('label', 'agree')
    const input = document.createElement('input')
    input.type = 'checkbox'
    input.checked = chosen.includes(option.key)
    input.onchange = () => {
      chosen = [...chosen.filter(one => one !== option.key), ...(input.checked ? [option.key] : [])]
      changed(key, chosen)
    }
    label.style.fontWeight = '400'
    label.append(input, ` ${option.label}`)
    return label
  })
}

function controlOf(question: FormQuestion, value: unknown, changed: Changed): HTMLElement {
  const { key, type, options, min, max } = question
  if (type === 'choice') {
    const select = document.createElement('select')
    select.append(new Option(''), ...options.map(one => new Option(one.label, one.key)))
    select.value = String(value ?? '')
    select.onchange = () => changed(key, select.value)
    return select
  }
  const input = document.createElement(type === 'textarea' ? 'textarea' : 'input')
  if (input instanceof HTMLTextAreaElement) input.rows = 3
  else if (isTick(question)) {
    input.type = 'checkbox'
    input.checked = value === true
    input.onchange = () => changed(key, input.checked)
    return input
  } else {
    input.type = type === 'date' ? 'date' : type === 'phone' ? 'tel' : 'text'
    if (type === 'number') input.inputMode = 'decimal'
    if (type === 'date') Object.assign(input, { min: min ?? '', max: max ?? '' })
  }
  if (type !== 'number' && type !== 'date') input.maxLength = lengthOf(question)
  input.value = String(value ?? '')
  input.oninput = () => changed(key, input.value)
  return input
}

function recall(storage: string): Values {
  try {
    return JSON.parse(sessionStorage.getItem(storage) ?? '{}')
  } catch {
    return {}
  }
}

function remember(storage: string, values: Values | null) {
  try {
    if (values) sessionStorage.setItem(storage, JSON.stringify(values))
    else sessionStorage.removeItem(storage)
  } catch {
    // Without storage, a reload starts over.
  }
}
