import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../api.ts'
import { common, sentenceOf } from '../common-words.ts'
import { Button } from './Button.tsx'

type Way = { undo?: () => unknown; label?: string }
type Toast = Way & { id: number; text: string; tone: 'good' | 'bad' }

let toasts: Toast[] = []
let redraw = () => {}
let last = 0

function change(next: Toast[]) {
  toasts = next
  redraw()
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

/** Where that fails, such as without a connection, it is said and can be tried again. */
async function takeBack({ text, undo, label }: { text: string; undo: () => unknown; label?: string }) {
  try {
    await undo()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    say(text, { undo, ...(label ? { label } : {}) })
    say(sentenceOf(error), { tone: 'bad' })
  }
}

export function Toasts() {
  const [, draw] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  // What opened last lies on top: also over a dialog one reads what was said.
  useEffect(() => {
    if (place.current!.matches(':popover-open')) place.current!.hidePopover()
    if (toasts.length > 0) place.current!.showPopover()
  }, [toasts])
  useEffect(() => {
    redraw = () => draw(count => count + 1)
    return () => {
      redraw = () => {}
    }
  }, [])
  return (
    <div ref={place} class="toasts" popover="manual" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone, undo, label }) => (
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
          <Button kind="quiet" label={common.close} onClick={() => drop(id)}>
            ✕
          </Button>
        </div>
      ))}
    </div>
  )
}
