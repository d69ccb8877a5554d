import { plain } from '#shared/plain.ts'

// Loaded only for long lists of services. Plain elements, so that it shares no code with the main file.

const texts = {
  de: { search: 'Leistung suchen', none: 'Nichts gefunden. Versuchen Sie ein anderes Wort.' },
  en: { search: 'Search services', none: 'Nothing found. Try another word.' },
  es: { search: 'Buscar un servicio', none: 'Sin resultados. Pruebe con otra palabra.' },
  fr: { search: 'Rechercher une prestation', none: 'Aucun résultat. Essayez un autre mot.' },
  it: { search: 'Cerca un servizio', none: 'Nessun risultato. Provi con un’altra parola.' },
}

/** Still there for visitors who come back from the times. */
const typed = new WeakMap<Node, string>()

/** Hides the services whose texts lack one of the words. */
export function addSearch(box: HTMLElement) {
  const { search, none } = texts[box.closest<HTMLElement>('[lang]')!.lang as keyof typeof texts]
  const widget = box.getRootNode()
  const input = document.createElement('input')
  const status = document.createElement('p')
  Object.assign(input, { type: 'search', placeholder: search, ariaLabel: search })
  input.part.add('search')
  input.value = typed.get(widget) ?? ''
  status.role = 'status'
  status.className = 'soft'
  input.oninput = () => {
    typed.set(widget, input.value)
    const words = plain(input.value).split(/\s+/)
    const items = [...box.parentElement!.querySelectorAll<HTMLElement>('.products > li')]
    const found = items.filter(item => words.every(word => plain(item.textContent!).includes(word)))
    for (const item of items) item.style.display = found.includes(item) ? '' : 'none'
    status.textContent = found.length > 0 ? '' : none
  }
  box.replaceChildren(input, status)
  input.oninput(new InputEvent('input'))
}
