import { useState } from 'preact/hooks'
import { useParams } from 'wouter-preact'
import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import { refresh, useLoad } from '../../../load.ts'
import { useGo } from '../../../navigation.ts'
import type { Closure, Entry } from '../../../records.ts'
import { may, useProvider } from '../../../session.ts'
import { Button } from '../../../ui/Button.tsx'
import { ExportList, exportTexts } from '../../../ui/ExportButton.tsx'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { Empty, Pending } from '../../../ui/Page.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { OffersPage } from '../OffersPage.tsx'
import { ChangeClosure, NewClosure } from './ClosureDialog.tsx'
import { ClosureLine, Inside, useWhose, whenOf } from './ClosureLine.tsx'
import { shownSpan, spanOf } from './closure-span.ts'
import { closureTexts as texts } from './closure-words.ts'
import { HolidayDialog } from './HolidayDialog.tsx'

/** Exceptions to the opening hours, such as holidays or leave. Only owners change them. */
export default function Closures() {
  const provider = useProvider()
  const { uuid: providerUuid, timeZone } = provider
  // The open closure, or `new` or `holidays`, is part of the address.
  const { which: open } = useParams<{ which?: string }>()
  const go = useGo()
  const show = (which: string) => go(`/offers/closures/${which}`)
  const [inside, setInside] = useState<Entry[]>([])
  const path = `/providers/${providerUuid}/closures` as const
  const key = `closures-${providerUuid}`
  const loaded = useLoad(key, signal => api.get(path, { signal }))
  const { run } = useSubmit()
  const isManager = may(provider, 'manage')
  const whoseOf = useWhose()
  const close = () => go('/offers/closures')
  const done = (text: string, appointments: Entry[], undo?: () => Promise<unknown>) => {
    close()
    setInside(appointments)
    showToast(text, undo ? { undo: () => void run(undo).then(() => refresh(key)) } : {})
    void loaded.reload()
  }
  const reopen = async ({ uuid, allDay, ...rest }: Closure) => {
    // Restored as dates if it was entered as dates: these follow the Provider's zone, instants do not.
    const { from, to } = spanOf(shownSpan({ ...rest, allDay }, timeZone))
    const closure = { ...rest, from, to }
    const removed = await run(() => api.remove(`${path}/${uuid}`).then(() => true))
    if (removed) done(texts.reopened(closure.reason), [], () => api.post(path, closure))
  }
  const closures = loaded.data?.closures
  const add = isManager && (
    <Button kind="main" onClick={() => show('new')}>
      {texts.add}
    </Button>
  )
  return (
    <OffersPage
      action={
        <>
          <ExportList
            file={texts.title}
            heads={[exportTexts.details, exportTexts.when, exportTexts.person]}
            cells={(one: Closure) => [one.reason, whenOf(one, timeZone), whoseOf(one)]}
            rows={closures}
          />
          {isManager && <Button onClick={() => show('holidays')}>{texts.holidays}</Button>}
          {closures?.length !== 0 && add}
        </>
      }
    >
      {!isManager && <p class="soft">{texts.ownersOnly}</p>}
      <Inside entries={inside} zone={timeZone} />
      <Pending of={loaded} />
      {closures?.length === 0 && <Empty action={add}>{texts.none}</Empty>}
      <ul class="lines">
        {closures?.map(one => (
          <ClosureLine key={one.uuid} closure={one} zone={timeZone}>
            {isManager && (
              <>
                <Button label={`${common.edit}: ${one.reason}`} onClick={() => show(one.uuid)}>
                  {common.edit}
                </Button>
                <Button label={`${texts.reopen}: ${one.reason}`} onClick={() => reopen(one)}>
                  {texts.reopen}
                </Button>
              </>
            )}
          </ClosureLine>
        ))}
      </ul>
      {isManager && open === 'new' && (
        <NewClosure
          path={path}
          onClose={close}
          onDone={({ closure, appointments }) =>
            done(texts.closed(closure.reason), appointments, () => api.remove(`${path}/${closure.uuid}`))
          }
        />
      )}
      {isManager && open === 'holidays' && <HolidayDialog path={path} onClose={close} onDone={done} />}
      {isManager && open && open !== 'new' && open !== 'holidays' && (
        <ChangeClosure
          key={open}
          path={path}
          uuid={open}
          onClose={close}
          onDone={({ appointments }) => done(common.saved, appointments)}
        />
      )}
    </OffersPage>
  )
}
