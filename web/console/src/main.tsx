import { render } from 'preact'
import { App } from './App.tsx'
import './styles/index.css'

const readAnew = 'holdfast-console-read-anew'

// After an update the parts that this page would load are gone: the page is read anew, but not again and again.
addEventListener('vite:preloadError', event => {
  if (Date.now() - Number(sessionStorage.getItem(readAnew)) < 30_000) return
  sessionStorage.setItem(readAnew, String(Date.now()))
  event.preventDefault()
  location.reload()
})

render(<App />, document.getElementById('console')!)
