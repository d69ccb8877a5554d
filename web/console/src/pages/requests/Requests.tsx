import './requests.css'
import { useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useChanges } from '../../live-changes.ts'
import { useLoad } from '../../load.ts'
import { useMay, useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { format, instant, timeRange } from '../../time.ts'
import { ExportList, exportTexts } from '../../ui/ExportButton.tsx'
import { Empty, Page, Pending } from '../../ui/Page.tsx'
import type { Waiting } from './answer.ts'
import { Request } from './Request.tsx'
import { Several } from './Several.tsx'
import { texts } from './words.ts'

/** Oldest first: the longest wait is answered first, with one click. */
export default function Requests() {
  const provider = useProvider()
  const loaded = useLoad(`requests-${provider.uuid}`, signal =>
    api.get(`/providers/${provider.uuid}/requests`, { signal }),
  )
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const list = useRef<HTMLUListElement>(null)
  const mayBook = useMay('book')
  const mayManage = useMay('manage')
  /** The next request takes the focus, so that many are answered by keyboard. */
  const answered = async (index: number) => {
    await loaded.reload()
    // Once it is drawn.
    setTimeout(() => {
      const { activeElement } = document
      const buttons = list.current?.querySelectorAll<HTMLElement>('[data-part="accept"] > button') ?? []
      if (activeElement === document.body || activeElement?.matches('h1'))
        buttons[Math.min(index, buttons.length - 1)]?.focus()
    })
  }
  const requests = loaded.data?.requests ?? []
  useChanges(provider.uuid, loaded.data ? null : undefined, {
    apply: () => void loaded.reload(),
    reload: () => void loaded.reload(),
  })
  return (
    <Page
      title={shell.requests}
      action={
        <ExportList
          file={shell.requests}
          heads={[
            exportTexts.when,
            exportTexts.service,
            exportTexts.person,
            exportTexts.name,
            exportTexts.email,
            exportTexts.mobile,
            exportTexts.note,
          ]}
          cells={(one: Waiting) => [
            `${format.fullDay(instant(one.start), provider.timeZone)}, ${timeRange(one.start, one.end, provider.timeZone)}`,
            one.product.name,
            one.resource.name,
            one.name,
            one.email,
            one.mobile,
            one.note,
          ]}
          rows={loaded.data?.requests}
        />
      }
    >
      <Pending of={loaded} rows={4} />
      {loaded.data?.requests.length === 0 && (
        <Empty
          action={
            <Link href="/calendar" class="button">
              {common.openCalendar}
            </Link>
          }
        >
          {texts.none}. {texts.noneHint} {mayManage && texts.chooseHint}
        </Empty>
      )}
      {loaded.data && loaded.data.count > loaded.data.requests.length && (
        <p class="soft">{texts.showingOldest(loaded.data.count)}</p>
      )}
      {mayBook && requests.length > 1 && (
        <Several
          requests={requests}
          chosen={requests.filter(one => chosen.has(one.uuid))}
          onChosen={choose}
          onDone={loaded.reload}
        />
      )}
      <ul class="lines requests" ref={list} onKeyDown={onKeyDown}>
        {requests.map((one, index) => (
          <Request
            key={one.uuid}
            request={one}
            {...(mayBook && requests.length > 1
              ? { isChosen: chosen.has(one.uuid), onChoose: () => choose(toggled(chosen, one.uuid)) }
              : {})}
            isFew={requests.length <= few}
            zone={provider.timeZone}
            onDone={() => answered(index)}
          />
        ))}
      </ul>
    </Page>
  )
}

/** Up to this many, all details are shown at once. */
const few = 2

const toggled = (chosen: ReadonlySet<string>, uuid: string) =>
  chosen.has(uuid) ? new Set([...chosen].filter(one => one !== uuid)) : new Set([...chosen, uuid])

function onKeyDown(event: KeyboardEvent) {
  // The focus goes on by itself: a key that is held down would answer the next request too.
  if (event.repeat && event.key === 'Enter') event.preventDefault()
  else moveByArrows(event)
}

/** Up and down, to the same button of another line. */
function moveByArrows(event: KeyboardEvent) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  const from = (event.target as Element).closest<HTMLElement>('[data-part]')
  if (!step || !from || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  const same = [
    ...(event.currentTarget as Element).querySelectorAll<HTMLElement>(`[data-part="${from.dataset.part}"]`),
  ]
  partOf(same[same.indexOf(from) + step])?.focus()
}

const partOf = (part: HTMLElement | undefined) =>
  part?.matches('button, input') ? part : part?.querySelector<HTMLElement>('button')
