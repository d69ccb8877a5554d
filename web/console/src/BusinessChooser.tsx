import { useRef, useState } from 'preact/hooks'
import { api } from './api.ts'
import { common } from './common-words.ts'
import { useLoad } from './load.ts'
import { type MyProvider, useSession } from './session.ts'
import { shell } from './shell-words.ts'
import { Button } from './ui/Button.tsx'
import { Dialog } from './ui/dialogs/Dialog.tsx'
import { SearchField } from './ui/fields/SearchField.tsx'

const mostShown = 50

/** For those with more businesses than a list can show. */
export function BusinessChooser({ onClose }: { onClose: () => void }) {
  const { providers, choose } = useSession()
  const [text, setText] = useState('')
  const search = text.trim()
  const found = useLoad(search ? `businesses-${search}` : null, signal =>
    api.get('/session', { query: { search }, signal }),
  )
  // Keeps the previous results until new ones arrive, so that the list does not flicker.
  const last = useRef<MyProvider[]>(providers)
  if (found.data) last.current = found.data.providers
  const shown = (search ? last.current : providers).slice(0, mostShown)
  return (
    <Dialog title={shell.business} onClose={onClose}>
      <div class="stack">
        <SearchField label={common.search} value={text} onInput={setText} />
        {shown.length === 0 && <p class="soft">{common.noResults}</p>}
        <ul class="lines">
          {shown.map(one => (
            <li key={one.uuid}>
              <Button
                kind="quiet"
                onClick={() => {
                  choose(one.uuid)
                  onClose()
                }}
              >
                {one.name}
              </Button>
              <span class="soft">{one.crm}</span>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
