import { whenSteady } from '#shared/wait-for-click.ts'
import { makeApi } from './api.ts'
import { addProperties, adoptProperties, attributes } from './attributes.ts'
import { readEmbeddedAnswer } from './embedded-answer.ts'
import type { Emit } from './events.ts'
import { type Flow, makeFlow } from './flow.ts'
import { type Options, optionsOf } from './options.ts'
import { isOwnPage, keepFocus, namePage } from './page.ts'
import { makeMemory, remember } from './session-memory.ts'
import { shownPlace } from './state.ts'
import { trackStepsInHistory } from './step-history.ts'
import { makeStore, type Store } from './store.ts'
import { sheet, toneSheet } from './style.ts'
import { App } from './ui/App.tsx'
import { begun, type Ui } from './ui/context.ts'
import { loadSteps } from './ui/load-steps.ts'
import { makeRoot } from './ui/render.ts'
import { watchPage } from './watch-page.ts'
import { makeWords, type Words } from './words.ts'

/** Loads once times are shown, so that it never delays them. */
function shareLater(store: Store, name: string): () => void {
  let stop: (() => void) | undefined
  let isOver = false
  const stopWaiting = store.listen(async () => {
    const { step } = store.get()
    if (step !== 'time' && step !== 'form') return
    stopWaiting()
    const { shareHolds } = await loadSteps().catch(() => ({ shareHolds: null }))
    if (!isOver) stop = shareHolds?.(store, name)
  })
  return () => {
    isOver = true
    stopWaiting()
    stop?.()
  }
}

/** `<holdfast-booking resource="...">`. The class alone has no side effects; index.ts registers it. */
export class HoldfastBooking extends HTMLElement {
  // The theme only affects styles.
  static observedAttributes: readonly string[] = attributes.filter(name => name !== 'theme')
  #flow: Flow | null = null
  #stop: (() => void) | null = null
  #isStarting = false
  /** The visitor's selection before they changed the language. */
  #chosen: Partial<Options> = {}

  constructor() {
    super()
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet()]
  }

  connectedCallback() {
    adoptProperties(this)
    if (!this.#flow) this.#restart()
  }

  disconnectedCallback() {
    // Moving the element in the page also disconnects it; only an element that stays disconnected has left.
    queueMicrotask(() => this.isConnected || this.#end())
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null) {
    if (before !== after) this.#restart()
  }

  /** Deferred: frameworks set attributes one by one, and all of them together need one start. */
  #restart() {
    if (this.#isStarting) return
    this.#isStarting = true
    queueMicrotask(() => {
      this.#isStarting = false
      if (!this.isConnected) return
      const isFirst = !this.#flow
      const hadFocus = this.shadowRoot!.activeElement
      this.#end()
      this.#start(isFirst ? readEmbeddedAnswer(this) : null)
      // Rescheduling in place removes what was pressed; the new heading takes over.
      if (hadFocus) begun.add(this.#flow!)
    })
  }

  /** Reloads the shown times. */
  refresh(): Promise<void> {
    return this.#flow?.refresh() ?? Promise.resolve()
  }

  #start(embedded: ReturnType<typeof readEmbeddedAnswer>) {
    const options = { ...optionsOf(this), ...this.#chosen }
    const store = makeStore()
    const api = makeApi(options)
    const words = makeWords(options.locale, loadSteps)
    const memory = makeMemory(`holdfast ${options.baseUrl} ${options.refs} ${options.channelKey ?? ''}`)
    const flow = makeFlow(store, api, this.#emit, options, words, memory)
    this.#flow = flow
    const stops = [
      this.#draw(store, flow, words, options),
      watchPage(flow, store),
      options.token ? () => {} : remember(store, memory),
      shareLater(store, `holdfast ${options.baseUrl}`),
      trackStepsInHistory(store, flow, String([...document.querySelectorAll(this.localName)].indexOf(this))),
    ]
    this.#stop = () => {
      for (const stop of stops) stop()
    }
    if (options.locale.isGuess) stops.push(store.listen(() => this.#speakAs(store)))
    void flow.start(embedded)
  }

  /** If no language was requested, the Provider's is used. */
  #speakAs(store: Store) {
    const spoken = store.get().places[0]?.provider.language
    if (spoken && !this.lang) this.lang = spoken
  }

  #end() {
    void this.#flow?.release()
    this.#stop?.()
    this.#flow = null
    this.#stop = null
  }

  #draw(store: Store, flow: Flow, words: Words, { locale: { firstWeekday }, baseUrl }: Options) {
    const speak = (language: string) => {
      const { product, resource, zone, day } = store.get()
      this.#chosen = { product, resource, zone, date: day }
      this.setAttribute('lang', language)
    }
    const move = (link: string | null) => {
      if (link) return this.setAttribute('move-token', link)
      if (!this.getAttribute('resource'))
        this.setAttribute('resource', String(store.get().places.map(one => one.ref)))
      this.removeAttribute('move-token')
    }
    let isQueued = false
    const queue = () => {
      if (isQueued) return
      isQueued = true
      queueMicrotask(() => whenSteady(paint))
    }
    const root = makeRoot<Ui>(this.shadowRoot!, queue)
    const paint = () => {
      isQueued = false
      // The widget may have restarted while this waited for the pointer.
      if (this.#flow !== flow) return
      const value = { state: store.get(), flow, ...words, firstWeekday, speak, move }
      this.shadowRoot!.adoptedStyleSheets = [sheet(), ...toneSheet(shownPlace(value.state)?.provider.theme)]
      keepFocus(this.shadowRoot!, () => root.draw(App, value))
      this.#returnFocus()
      if (isOwnPage(baseUrl))
        namePage(this.shadowRoot!, words.language, shownPlace(value.state)?.provider.name)
    }
    paint()
    const stop = store.listen(queue)
    return () => {
      stop()
      root.clear()
    }
  }

  /** Back to the list of languages, if the visitor has just used it. */
  #returnFocus() {
    const list = this.shadowRoot!.querySelector<HTMLElement>('[part="language"]')
    if (!this.#chosen.zone || !list) return
    this.#chosen = {}
    list.focus()
  }

  #emit: Emit = (name, detail) => {
    this.dispatchEvent(new CustomEvent(`holdfast-${name}`, { detail, bubbles: true, composed: true }))
  }
}

addProperties(HoldfastBooking.prototype)
