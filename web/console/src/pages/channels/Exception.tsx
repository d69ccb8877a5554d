import type { ComponentChildren } from 'preact'
import { flushSync } from 'preact/compat'
import { useRef } from 'preact/hooks'
import { Button } from '../../ui/Button.tsx'
import { texts } from './words.ts'

type Props = {
  label: string
  /** The value of the business, in words. */
  usual: string
  isInherited: boolean
  onChange: (isInherited: boolean) => void
  children: ComponentChildren
}

/** A setting that is the same as the business's until it is changed here, and can go back. */
export function Exception({ label, usual, isInherited, onChange, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  /** What was pressed is gone, so what replaces it takes the focus. */
  const toggle = (next: boolean) => {
    flushSync(() => onChange(next))
    const first = place.current?.querySelector<HTMLElement>('input, select, button')
    first?.focus()
    if (first instanceof HTMLInputElement) first.select()
  }
  return (
    <div class={isInherited ? 'setting inherited' : 'setting'} ref={place}>
      {isInherited ? (
        <>
          <span>
            <strong>{label}</strong>
            <span class="soft">{texts.sameAsBusiness(usual)}</span>
          </span>
          <Button label={`${texts.change}: ${label}`} onClick={() => toggle(false)}>
            {texts.change}
          </Button>
        </>
      ) : (
        <>
          {children}
          <Button
            kind="quiet"
            label={`${texts.backToBusiness(usual)}: ${label}`}
            onClick={() => toggle(true)}
          >
            {texts.backToBusiness(usual)}
          </Button>
        </>
      )}
    </div>
  )
}
