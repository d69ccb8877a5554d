import { render } from 'preact'
import { Problem } from '../api.ts'
import { common, sentenceOf } from '../common-words.ts'
import { Button } from './Button.tsx'

type Way = { undo?: () => unknown; label?: string }
type Toast = Way & { id: number; text: string; tone: 'good' | 'bad' }

let toasts: Toast[] = []
let last = 0

function change(next: Toast[]) {
  toasts = next
  render(<List />, box)
  place()
}

const drop = (id: number) => change(toasts.filter(one => one.id !== id))

/**
 * A sentence at the bottom; with a way back for ten seconds where nothing has gone out yet. `label`: what the button says
 * where it does something else than to undo.
 */
export function say(text: string, { undo, label, tone = 'good' }: Way & { tone?: 'good' | 'bad' } = {}) {
  const id = ++last
  change([...toasts, { id, text, tone, ...(undo ? { undo } : {}), ...(label ? { label } : {}) }].slice(-3))
  setTimeout(() => drop(id), undo || tone === 'bad' ? 10_000 : 5_000)
}

/** What went wrong. That nobody is logged in any more is said by the login that opens over the page. */
export function sayProblem(problem: Problem) {
  if (problem.code !== 'login-required') say(sentenceOf(problem), { tone: 'bad' })
}

/** Where that fails, such as without a connection, it is said and can be tried again. */
async function takeBack({ text, undo, label }: { text: string; undo: () => unknown; label?: string }) {
  try {
    await undo()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    say(text, { undo, ...(label ? { label } : {}) })
    sayProblem(error)
  }
}

// A root of its own: an open dialog makes all that lies outside of it untouchable, so the box goes from one to the next.
const box = document.createElement('div')
box.className = 'toasts'
box.popover = 'manual'
box.role = 'status'
box.ariaLive = 'polite'
document.body.append(box)

/** To be said whenever a dialog was opened or closed, before what is closed leaves the page. */
export const dialogsChanged = () => place()

/** What opened last lies on top: also over a dialog one reads what was said, and can undo it. */
function place() {
  const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  if (box.parentElement !== within) within.append(box)
  if (box.matches(':popover-open')) box.hidePopover()
  if (toasts.length > 0) box.showPopover()
}

const List = () =>
  toasts.map(({ id, text, tone, undo, label }) => (
    <div key={id} class={`toast ${tone}`}>
      <span>{text}</span>
      {undo && (
        <Button
          onClick={() => {
            drop(id)
            void takeBack({ text, undo, ...(label ? { label } : {}) })
          }}
        >
          {label ?? common.undo}
        </Button>
      )}
      <Button kind="quiet" label={common.dismiss} onClick={() => drop(id)}>
        ✕
      </Button>
    </div>
  ))
