import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { common } from '../../common-words.ts'
import { refresh } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { Button } from '../../ui/Button.tsx'
import { ConflictNotice } from '../../ui/editing/ConflictNotice.tsx'
import { useEditOf } from '../../ui/editing/use-edit.ts'
import { Empty, Page, Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useProducts, useResources } from '../offers/offers.ts'
import { resourceTexts } from '../offers/resources/resource-words.ts'
import { QuestionChoice, useQuestionNames } from '../questions/QuestionChoice.tsx'
import { BusinessAddress } from './BusinessAddress.tsx'
import { ChannelTabs } from './ChannelTabs.tsx'
import { embedTexts } from './embed-words.ts'
import { SettingFields } from './SettingFields.tsx'
import { Preview } from './Snippet.tsx'
import { type BookingSettings, settingLabels } from './setting-labels.ts'
import { settingValue } from './setting-value.ts'
import { texts } from './words.ts'

/** The booking page of the business, and the settings that hold for all who can be booked. */
export default function Booking() {
  const { uuid } = useProvider()
  return (
    <Page title={shell.channels}>
      <ChannelTabs />
      <OfBusiness key={uuid} uuid={uuid} />
    </Page>
  )
}

function OfBusiness({ uuid }: { uuid: string }) {
  const [business, setBusiness] = useState(uuid)
  const [changes, setChanges] = useState(0)
  const loaded = useResources()
  if (loaded.problem || !loaded.data) return <Pending of={loaded} rows={10} />
  if (loaded.data.resources.every(one => one.archived))
    return (
      <Empty
        action={
          <Link class="button main" href="/offers/resources/new">
            {resourceTexts.addResource}
          </Link>
        }
      >
        {texts.noResource}
      </Empty>
    )
  return (
    <div class="beside">
      <div class="stack">
        <section class="card stack">
          <div>
            <h2>{embedTexts.yourPage}</h2>
            <p class="soft">{embedTexts.yourPageHint}</p>
          </div>
          <BusinessAddress onChange={setBusiness} />
        </section>
        <Settings uuid={uuid} onSaved={() => setChanges(count => count + 1)} />
      </div>
      <Preview shown={{ business }} version={changes} />
    </div>
  )
}

type BusinessSettings = BookingSettings & Pick<Schemas['BookingSettings'], 'questions'>

const settingsIn = ({ exceptions: _, ...settings }: Schemas['BookingSettings']): BusinessSettings => settings

function Settings({ uuid, onSaved }: { uuid: string; onSaved: () => void }) {
  const edit = useEditOf(`/providers/${uuid}/booking`, settingsIn)
  const { draft, answer } = edit
  const questionNames = useQuestionNames()
  if (edit.loading.problem || !draft || !answer) return <Pending of={edit.loading} rows={10} />
  const shown = () => {
    refresh(`booking-${uuid}`)
    refresh(`products-${uuid}`)
    onSaved()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!(await edit.save())) return
    showToast(common.saved, { about: texts.forAll, undo: edit.undo(shown) })
    shown()
  }
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <div>
        <h2>{texts.forAll}</h2>
        <p class="soft">{texts.forAllHint}</p>
      </div>
      <ConflictNotice
        theirs={edit.theirs}
        labels={{ ...settingLabels, questions: common.questions }}
        show={(field, value) =>
          field === 'questions' ? questionNames(value as string[]) : settingValue(field, value as never)
        }
        onDrop={edit.drop}
      />
      <SettingFields
        draft={draft}
        change={edit.change}
        errorAt={edit.errorAt}
        more={`${common.questions}: ${questionNames(draft.questions)}`}
      >
        <QuestionChoice chosen={draft.questions} onChange={questions => edit.change({ questions })} />
      </SettingFields>
      <Exceptions exceptions={answer.exceptions} />
      <div class="save-bar">
        <span />
        <Button kind="main" type="submit" busy={edit.busy} disabled={!edit.isChanged}>
          {common.save}
        </Button>
      </div>
    </form>
  )
}

/** Where a setting is not the business's, with the way there. */
function Exceptions({ exceptions }: Pick<Schemas['BookingSettings'], 'exceptions'>) {
  const resources = useResources().data?.resources ?? []
  const products = useProducts().data?.products.filter(one => one.ownQuestions) ?? []
  if (exceptions.length + products.length === 0) return <p class="soft">{texts.noExceptions}</p>
  return (
    <section class="stack tight">
      <h3>{texts.exceptions}</h3>
      <ul class="stack tight">
        {exceptions.map(({ resourceUuid, channelKey, settings }) => (
          <li key={`${resourceUuid} ${channelKey}`}>
            <Link href={`/channels/${resourceUuid}/${channelKey}`}>
              {resources.find(one => one.uuid === resourceUuid)?.internalName}, {texts.names[channelKey]}
            </Link>{' '}
            <span class="soft">{settings.map(name => settingLabels[name]).join(', ')}</span>
          </li>
        ))}
        {products.map(({ uuid, name }) => (
          <li key={uuid}>
            <Link href={`/offers/products/${uuid}`}>{name}</Link> <span class="soft">{common.questions}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
