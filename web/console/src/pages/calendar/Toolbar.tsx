import { useSearchParams } from 'wouter-preact'
import { common } from '../../common-words.ts'
import type { CalendarResource } from '../../records.ts'
import { shell } from '../../shell-words.ts'
import { today } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Options } from '../../ui/fields/Options.tsx'
import { type View, views } from './period.ts'
import { texts } from './words.ts'

type Change = Partial<Record<'view' | 'day' | 'resource' | 'appointment', string | null>>

/** The whole view is part of the address: it can be shared, and Back works. */
export function useAddress() {
  const [params, setParams] = useSearchParams()
  const set = (change: Change) =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(change))
          if (value) next.set(name, value)
          else next.delete(name)
        return next
      },
      // Back must not reopen a closed panel.
      { replace: change.appointment === null },
    )
  return { params, set }
}

type Props = {
  view: View
  day: string
  zone: string
  title: string
  resource: string | null
  resources: CalendarResource[]
  set: (change: Change) => void
  step: (count: number) => void
}

export function Toolbar({ view, day, zone, title, resource, resources, set, step }: Props) {
  return (
    <div class="calendar-bar">
      <div class="row">
        <Button label={texts.previous} onClick={() => step(-1)}>
          ‹
        </Button>
        <Button onClick={() => set({ day: today(zone) })}>{shell.today}</Button>
        <Button label={texts.next} onClick={() => step(1)}>
          ›
        </Button>
        <input
          type="date"
          aria-label={texts.goTo}
          value={day}
          onChange={event => event.currentTarget.value && set({ day: event.currentTarget.value })}
        />
        <strong class="calendar-title" aria-live="polite">
          {title}
        </strong>
      </div>
      <div class="row">
        {resources.length > 1 && (
          <select
            class={resources.length > 200 ? 'many' : ''}
            aria-label={common.resource}
            value={resource ?? ''}
            onChange={event => set({ resource: event.currentTarget.value || null })}
          >
            <option value="">{texts.all}</option>
            <Options all={resources} chosen={resource} />
          </select>
        )}
        <fieldset class="segments" aria-label={texts.views}>
          {views.map(one => (
            <Button key={one} pressed={view === one} onClick={() => set({ view: one })}>
              {texts[one]}
            </Button>
          ))}
        </fieldset>
      </div>
    </div>
  )
}
