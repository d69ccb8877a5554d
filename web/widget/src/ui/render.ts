import type { ComponentChildren } from 'preact'

// Draws the widget's components: as much of Preact as they use, at a fifth of its size. Every change redraws from the root,
// which is fast enough for some hundred elements, and keeps elements in place: by key, otherwise by position.
// Nodes that other code adds to an element are left alone.

type Props = Record<string, unknown> & { children?: unknown[] }
type Component = (props: never) => unknown
/** `type` of a text is ''. */
type Wanted = { type: string | Component; props: Props; key?: unknown }
type Hook = { value?: unknown; run?: (() => unknown) | undefined; end?: unknown }
type Drawn = { wanted: Wanted; dom?: Element | Text; kids: (Drawn | null)[]; hooks: Hook[] }
type Ref = { current: unknown }

export function h(type: Wanted['type'], props: Props | null, ...children: unknown[]): Wanted {
  return { type, props: { ...props, children }, key: props?.key }
}

export const Fragment = ({ children }: { children: unknown }) => children

/** Created here, as opposed to nodes that other code added. */
const own = new WeakSet<Node>()
let value: unknown
let redraw: () => void
let due: Hook[] = []
let component: Drawn
let hookIndex: number

/** `update` is called if a component has changed its state: it must draw again. */
export function makeRoot<Value>(place: ShadowRoot, update: () => void) {
  const root: Drawn = { wanted: h('', null), kids: [], hooks: [] }
  const drawAll = (child: unknown) => {
    due = []
    redraw = update
    drawKids(root, [child])
    arrange(place, root)
    for (const hook of due) {
      end(hook)
      hook.end = hook.run!()
      hook.run = undefined
    }
  }
  return {
    draw(view: () => ComponentChildren, shared: Value) {
      value = shared
      drawAll(h(view, null))
    },
    clear: () => drawAll(null),
  }
}

/** What the root was given to draw with. */
export const useShared = <Value>() => value as Value

const useHook = (): Hook => (component.hooks[hookIndex++] ??= {})

export function useRef<T>(first: T): { current: T }
export function useRef<T>(first: null): { current: T | null }
export function useRef(first: unknown) {
  const hook = useHook()
  hook.value ??= { current: first }
  return hook.value
}

type Change<T> = T | ((before: T) => T)

export function useState<T>(first: T | (() => T)): [T, (change: Change<T>) => void] {
  const hook = useHook() as { value?: [T, (change: Change<T>) => void] }
  const update = redraw
  hook.value ??= [
    first instanceof Function ? first() : first,
    change => {
      const [before, set] = hook.value!
      const after = change instanceof Function ? change(before) : change
      hook.value = [after, set]
      if (after !== before) update()
    },
  ]
  return hook.value
}

/** Runs after drawing and before the next paint, and again if a dependency has changed. */
export function useEffect(run: () => unknown, dependencies: unknown[]) {
  const hook = useHook()
  const before = hook.value as unknown[] | undefined
  if (!before || dependencies.some((one, index) => one !== before[index])) hook.run = run
  hook.value = dependencies
}

function end(hook: Hook) {
  if (hook.end instanceof Function) hook.end()
  hook.end = undefined
}

function wantedBy(child: unknown): Wanted | null {
  if (child == null || child === true || child === false) return null
  if (Array.isArray(child)) return h(Fragment, null, ...child)
  return typeof child === 'object' ? (child as Wanted) : h('', null, child)
}

function drawKids(parent: Drawn, children: unknown[]) {
  const before = parent.kids
  const known = new Map(before.map((kid, index) => [kid?.wanted.key ?? index, kid]))
  parent.kids = children.map((child, index) => {
    const wanted = wantedBy(child)
    if (!wanted) return null
    const key = wanted.key ?? index
    const kid = known.get(key)
    known.delete(key)
    return kid?.wanted.type === wanted.type
      ? draw(kid, wanted, kid.wanted.props)
      : draw(create(wanted), wanted, {})
  })
  for (const kid of before) if (kid && !parent.kids.includes(kid)) remove(kid)
}

function create(wanted: Wanted): Drawn {
  const { type, props } = wanted
  const drawn: Drawn = { wanted, kids: [], hooks: [] }
  if (typeof type === 'string') {
    drawn.dom = !type
      ? new Text(String(props.children![0]))
      : /svg|path/.test(type)
        ? document.createElementNS('http://www.w3.org/2000/svg', type)
        : document.createElement(type)
    own.add(drawn.dom)
  }
  return drawn
}

function draw(drawn: Drawn, wanted: Wanted, before: Props): Drawn {
  const { type, props } = wanted
  const { dom } = drawn
  drawn.wanted = wanted
  if (dom instanceof Element) {
    drawKids(drawn, props.children!)
    arrange(dom, drawn)
    // After the children: a list has no value without its options.
    for (const name in { ...before, ...props }) setProp(dom, name, props[name], before[name])
  } else if (dom) {
    const text = String(props.children![0])
    if (dom.data !== text) dom.data = text
  } else {
    component = drawn
    hookIndex = 0
    drawKids(drawn, [(type as (props: Props) => unknown)(props)].flat())
    due.push(...drawn.hooks.filter(hook => hook.run))
  }
  return drawn
}

function setProp(dom: Element, name: string, value: unknown, before: unknown) {
  const any = dom as unknown as Record<string, unknown>
  // What a visitor has typed counts, not what was drawn last.
  if (name === 'value' || name === 'checked') {
    if (any[name] !== value) any[name] = value
  } else if (value === before || name === 'children' || name === 'key') return
  else if (name === 'ref') (value as Ref).current = dom
  // Without what it returns: `false` would cancel the event.
  else if (name.startsWith('on'))
    any[name.toLowerCase()] = (event: Event) => void (value as ((event: Event) => void) | undefined)?.(event)
  else if (value == null || (value === false && !name.includes('-'))) dom.removeAttribute(name)
  else dom.setAttribute(name, value === true && !name.includes('-') ? '' : String(value))
}

const nodesIn = (kids: Drawn['kids']): Node[] =>
  kids.flatMap(kid => (kid ? (kid.dom ?? nodesIn(kid.kids)) : []))

/** Moves only what is not where it should be: what moves loses the focus. */
function arrange(parent: Node, { kids }: Drawn) {
  let next: Node | null = null
  for (const node of nodesIn(kids).reverse()) {
    let after = node.nextSibling
    while (after && !own.has(after)) after = after.nextSibling
    if (node.parentNode !== parent || after !== next) parent.insertBefore(node, next)
    next = node
  }
}

function remove({ wanted, dom, kids, hooks }: Drawn) {
  hooks.forEach(end)
  dom?.remove()
  const ref = wanted.props.ref as Ref | undefined
  if (ref && ref.current === dom) ref.current = null
  for (const kid of kids) if (kid) remove(kid)
}
