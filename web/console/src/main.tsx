import { options as drawing, render } from 'preact'
import { whenSteady } from '#shared/wait-for-click.ts'
import { App } from './App.tsx'
import { keepFocus } from './keep-focus.ts'
import 'virtual:tokens.css'
import './styles/index.css'

// Live updates and hints wait for the release: nothing moves away from under a pressed pointer.
drawing.debounceRendering = draw => queueMicrotask(() => whenSteady(() => keepFocus(draw)))

const reloadFlag = 'holdfast-console-reloaded'

// After an update the old chunks are gone: reload the page, but not in a loop.
addEventListener('vite:preloadError', event => {
  if (Date.now() - Number(sessionStorage.getItem(reloadFlag)) < 30_000) return
  sessionStorage.setItem(reloadFlag, String(Date.now()))
  event.preventDefault()
  location.reload()
})

render(<App />, document.getElementById('console')!)
