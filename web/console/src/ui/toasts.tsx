import { render } from 'preact'
import { whenSteady } from '#shared/wait-for-click.ts'
import { Problem } from '../api.ts'
import { common, sentenceOf } from '../common-words.ts'
import { Button } from './Button.tsx'

type Way = { undo?: () => unknown; label?: string }
type Toast = Way & { id: number; text: string; tone: 'good' | 'bad' }

let toasts: Toast[] = []
let last = 0

function change(next: Toast[]) {
  toasts = next
  whenSteady(() => {
    render(<List />, box)
    place()
  })
}

const drop = (id: number) => change(toasts.filter(one => one.id !== id))

/**
 * A message at the bottom, with Undo for ten seconds if nothing has been sent yet. `label` replaces "Undo"
 * for other actions.
 */
export function showToast(
  text: string,
  { undo, label, tone = 'good' }: Way & { tone?: 'good' | 'bad' } = {},
) {
  const id = ++last
  // A repeated message replaces the previous one.
  const others = toasts.filter(one => one.text !== text)
  change([...others, { id, text, tone, ...(undo ? { undo } : {}), ...(label ? { label } : {}) }].slice(-3))
  setTimeout(() => drop(id), undo || tone === 'bad' ? 10_000 : 5_000)
}

/** Shows a problem. An ended session is not shown: the login opens on top of the page instead. */
export function showProblem(problem: Problem) {
  if (problem.code !== 'login-required') showToast(sentenceOf(problem), { tone: 'bad' })
}

/** If undoing fails, for example offline, the toast stays and offers a retry. */
async function takeBack({ text, undo, label }: { text: string; undo: () => unknown; label?: string }) {
  try {
    await undo()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    showToast(text, { undo, ...(label ? { label } : {}) })
    showProblem(error)
  }
}

// A separate root: an open dialog makes everything outside it inert, so the box moves into the topmost
// dialog.
const box = document.createElement('div')
box.className = 'toasts'
box.popover = 'manual'
box.role = 'status'
box.ariaLive = 'polite'
document.body.append(box)

/** Call after a dialog has opened, and before a closed one leaves the page. */
export const dialogsChanged = () => place()

/** Moves the box into the topmost dialog, so that messages stay visible and can be undone. */
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
