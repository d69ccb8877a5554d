// The widget's renderer, in a browser: what stays in place, and when effects run.

import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, it } from 'vitest'
import type * as render from '../../web/widget/src/ui/render.ts'
import { startBrowser } from '../support/browser.ts'

const file = new URL('../../web/widget/src/ui/render.ts', import.meta.url)
const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
const names = 'h, Fragment, makeRoot, useEffect, useRef, useShared, useState'

it('keeps elements, focus, input and foreign nodes over changes, and ends what it removes', async () => {
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    await page.addScriptTag({
      type: 'module',
      content: `${code}
globalThis.render = { ${names} }`,
    })
    await page.waitForFunction(() => 'render' in globalThis)
    const seen = await page.evaluate(async () => {
      const { h, Fragment, makeRoot, useEffect, useRef, useShared, useState } = (
        globalThis as unknown as { render: typeof render }
      ).render
      const shadow = document.body.attachShadow({ mode: 'open' })
      const log: string[] = []
      const wait = () => new Promise(resolve => setTimeout(resolve))
      const text = () => shadow.textContent
      const all = (selector: string) => [...shadow.querySelectorAll<HTMLInputElement>(selector)]
      type Shared = { names: string[]; typed: string; isOpen: boolean }
      const Row = ({ name }: { name: string }) => {
        const ref = useRef<HTMLElement>(null)
        const [count, setCount] = useState(0)
        const press = () => {
          setCount(before => before + 1)
          return false
        }
        useEffect(() => {
          log.push(`begin ${ref.current?.localName} ${name}`)
          return () => log.push(`end ${name}`)
        }, [])
        return h('li', null, h('button', { ref, onClick: press }, name, count))
      }
      const View = () => {
        const { names, typed, isOpen } = useShared<Shared>()
        useEffect(() => log.push(`view ${names.length}`), [names.length])
        return h(
          Fragment,
          null,
          isOpen && h('p', { class: 'first', 'aria-hidden': false, hidden: false }, 'Open'),
          h(
            'ul',
            null,
            names.map(name => h(Row as never, { key: name, name })),
          ),
          h('input', { value: typed, disabled: !isOpen, maxLength: 9 }),
          h('select', { value: 'b' }, h('option', { value: 'a' }), h('option', { value: 'b' })),
          isOpen ? h('svg', { viewBox: '0 0 1 1' }, h('path', { d: 'M0 0' })) : h('span', null, 0),
        )
      }
      let shared: Shared = { names: ['a', 'b', 'c'], typed: 'x', isOpen: false }
      const draw = (change: Partial<Shared> = {}) => {
        shared = { ...shared, ...change }
        root.draw(View as never, shared)
      }
      const root = makeRoot<Shared>(shadow, () => queueMicrotask(draw))
      draw()
      const texts = [text()]
      const [a, b, c] = all('li')
      const click = new MouseEvent('click', { cancelable: true })
      a!.querySelector('button')!.dispatchEvent(click)
      await wait()
      texts.push(text())
      const foreign = document.createElement('hr')
      all('ul')[0]!.before(foreign)
      c!.querySelector('button')!.focus()
      const [input] = all('input')
      input!.value = 'typed'
      draw({ names: ['c', 'd', 'a'], isOpen: true, typed: 'typed' })
      texts.push(text())
      const rows = all('li')
      const result = {
        texts,
        isKept: [rows[0] === c, rows[2] === a, input === all('input')[0], b!.isConnected],
        isCancelled: click.defaultPrevented,
        focus: shadow.activeElement?.textContent,
        order: [...shadow.children].map(one => one.localName),
        first: all('.first')[0]!.outerHTML,
        input: [input!.value, input!.disabled, input!.maxLength, all('select')[0]!.value],
        svg: shadow.querySelector('path')!.namespaceURI,
      }
      root.clear()
      return { ...result, log, left: [...shadow.children].map(one => one.localName) }
    })
    expect(seen).toEqual({
      texts: ['a0b0c00', 'a1b0c00', 'Openc0d0a1'],
      isKept: [true, true, true, false],
      isCancelled: false,
      focus: 'c0',
      order: ['hr', 'p', 'ul', 'input', 'select', 'svg'],
      first: '<p class="first" aria-hidden="false">Open</p>',
      input: ['typed', false, 9, 'b'],
      svg: 'http://www.w3.org/2000/svg',
      log: [
        'begin button a',
        'begin button b',
        'begin button c',
        'view 3',
        'end b',
        'begin button d',
        'end c',
        'end d',
        'end a',
      ],
      left: ['hr'],
    })
  } finally {
    await browser.close()
  }
})
