import { render } from 'preact'
import { whenSteady } from '#shared/wait-for-click.ts'
import { Problem } from '../api.ts'
import { common, sentenceOf } from '../common-words.ts'
import { Button } from './Button.tsx'

type Way = { undo?: () => unknown; label?: string; tone?: 'good' | 'bad' }
type Toast = Way & { id: number; text: string }

/** One at a time: the one that is undone is the one that is read. */
let toasts: Toast[] = []
let last = 0
/** What is said in the same moment is said together: some were moved, others do not fit. */
let isFresh = false

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
 * for other actions; `about` names whom or what it concerns, so that Undo says what it undoes.
 */
export function showToast(text: string, { about, ...way }: Way & { about?: string } = {}) {
  const said = about ? `${about} · ${text}` : text
  const before = isFresh ? toasts[0] : undefined
  const isSame = before?.text === said
  const toast: Toast = {
    ...before,
    ...way,
    ...(before?.tone === 'bad' ? { tone: 'bad' } : {}),
    id: ++last,
    text: before && !isSame ? `${before.text} ${said}` : said,
  }
  isFresh = true
  setTimeout(() => {
    isFresh = false
  })
  change([toast])
  setTimeout(() => drop(toast.id), toast.undo || toast.tone === 'bad' ? 10_000 : 5_000)
}

/** Shows a problem. An ended session is not shown: the login opens on top of the page instead. */
export function showProblem(problem: Problem) {
  if (problem.code !== 'login-required') showToast(sentenceOf(problem), { tone: 'bad' })
}

/** If undoing fails, for example offline, the toast says why and offers a retry. */
async function takeBack({ undo, label }: Toast) {
  try {
    await undo!()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    showToast(sentenceOf(error), { undo: undo!, tone: 'bad', ...(label ? { label } : {}) })
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
  toasts.map(toast => (
    <div key={toast.id} class={`toast ${toast.tone ?? 'good'}`}>
      <span>{toast.text}</span>
      {toast.undo && (
        <Button
          onClick={() => {
            drop(toast.id)
            void takeBack(toast)
          }}
        >
          {toast.label ?? common.undo}
        </Button>
      )}
      <Button kind="quiet" label={common.dismiss} onClick={() => drop(toast.id)}>
        ✕
      </Button>
    </div>
  ))
