import { useEffect, useState } from 'preact/hooks'
import { common } from '../common-words.ts'
import { Button } from './Button.tsx'

type Toast = { id: number; text: string; tone: 'good' | 'bad'; undo?: () => void }

let toasts: Toast[] = []
let redraw = () => {}
let last = 0

function change(next: Toast[]) {
  toasts = next
  redraw()
}

const drop = (id: number) => change(toasts.filter(one => one.id !== id))

/** A sentence at the bottom; with a way back for ten seconds where nothing has gone out yet. */
export function say(
  text: string,
  { undo, tone = 'good' }: { undo?: () => void; tone?: 'good' | 'bad' } = {},
) {
  const id = ++last
  change([...toasts, { id, text, tone, ...(undo ? { undo } : {}) }].slice(-3))
  setTimeout(() => drop(id), undo || tone === 'bad' ? 10_000 : 5_000)
}

export function Toasts() {
  const [, draw] = useState(0)
  useEffect(() => {
    redraw = () => draw(count => count + 1)
    return () => {
      redraw = () => {}
    }
  }, [])
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone, undo }) => (
        <div key={id} class={`toast ${tone}`}>
          <span>{text}</span>
          {undo && (
            <Button
              onClick={() => {
                drop(id)
                undo()
              }}
            >
              {common.undo}
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
