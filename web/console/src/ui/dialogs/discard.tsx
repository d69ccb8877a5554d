import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { words } from '../../words.ts'
import { Button } from '../Button.tsx'
import { dialogsChanged } from '../toasts.tsx'

const texts = words({
  en: {
    title: 'Discard your changes?',
    text: 'You have unsaved changes.',
    keep: 'Keep editing',
    discard: 'Discard',
  },
  de: {
    title: 'Änderungen verwerfen?',
    text: 'Ihre Änderungen sind noch nicht gespeichert.',
    keep: 'Weiter bearbeiten',
    discard: 'Verwerfen',
  },
  fr: {
    title: 'Abandonner vos modifications\u00a0?',
    text: 'Vos modifications ne sont pas enregistrées.',
    keep: 'Continuer la saisie',
    discard: 'Abandonner',
  },
  es: {
    title: '¿Descartar los cambios?',
    text: 'Tiene cambios sin guardar.',
    keep: 'Seguir editando',
    discard: 'Descartar',
  },
  it: {
    title: 'Scartare le modifiche?',
    text: 'Ci sono modifiche non salvate.',
    keep: 'Continua a modificare',
    discard: 'Scarta',
  },
})

let open: Promise<boolean> | null = null

/** Resolves to true if the user agrees to discard their input. Concurrent calls share one question. */
export function askToDiscard(): Promise<boolean> {
  open ??= ask().finally(() => {
    open = null
  })
  return open
}

function ask(): Promise<boolean> {
  const place = document.createElement('div')
  document.body.append(place)
  return new Promise(resolve => {
    const answer = (isAgreed: boolean) => {
      render(null, place)
      place.remove()
      resolve(isAgreed)
    }
    render(<Question onAnswer={answer} />, place)
  })
}

// Not our own Dialog, which asks this question itself.
function Question({ onAnswer }: { onAnswer: (isAgreed: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current!
    const before = document.activeElement as HTMLElement | null
    element.showModal()
    dialogsChanged()
    return () => {
      element.close()
      dialogsChanged()
      if (before?.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="question"
      role="alertdialog"
      aria-labelledby="discard-title"
      aria-describedby="discard-text"
      onCancel={event => {
        event.preventDefault()
        onAnswer(false)
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onAnswer(false)
      }}
    >
      <div class="dialog-body">
        <h2 id="discard-title">{texts.title}</h2>
        <p id="discard-text">{texts.text}</p>
        <div class="dialog-end">
          <Button onClick={() => onAnswer(true)}>{texts.discard}</Button>
          <Button kind="main" autofocus onClick={() => onAnswer(false)}>
            {texts.keep}
          </Button>
        </div>
      </div>
    </dialog>
  )
}
