import { useState } from 'preact/hooks'
import { accent } from '#shared/tokens.ts'
import { common } from '../../common-words.ts'
import type { ProviderSettings } from '../../records.ts'
import { useProvider, useSession } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { Button } from '../../ui/Button.tsx'
import { ConflictNotice } from '../../ui/editing/ConflictNotice.tsx'
import { type Edit, useEdit } from '../../ui/editing/use-edit.ts'
import { CheckField, Field, TextField } from '../../ui/fields/Field.tsx'
import { LanguageField, ZoneField } from '../../ui/fields/PlaceFields.tsx'
import { Page, Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useResources } from '../offers/offers.ts'
import { addressOf } from './BusinessAddress.tsx'
import { brandingTexts } from './branding-words.ts'
import { ChannelTabs } from './ChannelTabs.tsx'
import { LogoField } from './LogoField.tsx'
import { Preview } from './Snippet.tsx'
import { texts } from './words.ts'
import { ZoneDialog } from './ZoneDialog.tsx'

/** Appearance and texts of booking pages, widgets and emails. */
export default function Branding() {
  const provider = useProvider()
  return (
    <Page title={shell.channels}>
      <ChannelTabs />
      <Form key={provider.uuid} uuid={provider.uuid} />
    </Page>
  )
}

const usualAccent = accent[0]

function Form({ uuid }: { uuid: string }) {
  const { reload } = useSession()
  const edit = useEdit(`/providers/${uuid}`)
  const [isAsking, setAsking] = useState(false)
  const [changes, setChanges] = useState(0)
  const resource = useResources().data?.resources.find(one => !one.archived)
  const { draft } = edit
  if (edit.loading.problem || !draft) return <Pending of={edit.loading} rows={10} />
  const save = async () => {
    setAsking(false)
    // An uploaded image is deleted with its address, so the change cannot be undone.
    const canGoBack = draft.logoUrl === edit.saved!.logoUrl
    if (!(await edit.save())) return
    showToast(common.saved, { about: texts.branding, ...(canGoBack && { undo: edit.undo(shown) }) })
    await shown()
  }
  /** Updates the preview, and the rail that shows the business's name and zone. */
  const shown = async () => {
    setChanges(count => count + 1)
    await reload()
  }
  const readAgain = async () => {
    edit.forget('logoUrl')
    await edit.read()
    await shown()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (draft.timeZone === edit.saved!.timeZone) await save()
    else setAsking(true)
  }
  return (
    <div class="beside">
      <form class="stack" onSubmit={submit} noValidate>
        <ConflictNotice
          theirs={edit.theirs.filter(one => one.field !== 'theme')}
          labels={brandingTexts.brandingLabels}
          onDrop={edit.drop}
        />
        <Accent draft={draft} change={edit.change} errorAt={edit.errorAt} saved={edit.saved!} />
        <LogoField
          draft={draft}
          saved={edit.saved!}
          change={edit.change}
          errorAt={edit.errorAt}
          onSaved={readAgain}
        />
        <Place draft={draft} change={edit.change} errorAt={edit.errorAt} />
        <Texts draft={draft} change={edit.change} errorAt={edit.errorAt} />
        <div class="save-bar">
          <span />
          <Button kind="main" type="submit" busy={edit.busy} disabled={!edit.isChanged}>
            {common.save}
          </Button>
        </div>
      </form>
      {isAsking && (
        <ZoneDialog
          from={edit.saved!.timeZone}
          to={draft.timeZone}
          onClose={() => setAsking(false)}
          onGo={() => void save()}
        />
      )}
      {resource && (
        <Preview
          shown={{ business: addressOf(edit.saved!) }}
          version={changes}
          accent={unsavedAccent(draft, edit.saved!)}
        />
      )}
    </div>
  )
}

/** Undefined if the page shows it already. */
export const unsavedAccent = (draft: ProviderSettings, saved: ProviderSettings) =>
  draft.accentColor === saved.accentColor ? undefined : draft.accentColor

type Part = { draft: ProviderSettings } & Pick<Edit<ProviderSettings>, 'change' | 'errorAt'>

/** The service adjusts the colour until it is readable; the hint appears if the result differs. */
export function Accent({ draft, change, errorAt, saved }: Part & { saved: ProviderSettings }) {
  const { accentColor } = draft
  const theme = accentColor === saved.accentColor ? saved.theme : null
  const isAdjusted = theme && accentColor && theme.light.accent !== accentColor
  return (
    <>
      <Field
        label={brandingTexts.brandingLabels.accentColor}
        hint={isAdjusted ? brandingTexts.adjusted : brandingTexts.accentHint}
        error={errorAt('accentColor')}
      >
        {ids => (
          <span class="row">
            <input
              {...ids}
              type="color"
              value={accentColor ?? usualAccent}
              onInput={event => change({ accentColor: event.currentTarget.value })}
            />
            <code>{accentColor ?? brandingTexts.defaultValue}</code>
            {accentColor && (
              <Button kind="quiet" onClick={() => change({ accentColor: null })}>
                {brandingTexts.useDefaultColor}
              </Button>
            )}
          </span>
        )}
      </Field>
      {theme && accentColor && (
        <p class="row swatches">
          {(['light', 'dark'] as const).map(ground => (
            <span
              key={ground}
              class="swatch"
              style={{ background: theme[ground].fill, color: theme[ground].onFill }}
            >
              {ground === 'light' ? brandingTexts.onLight : brandingTexts.onDark} {theme[ground].accent}
            </span>
          ))}
        </p>
      )}
    </>
  )
}

/** Time zone and language of the business. */
function Place({ draft, change, errorAt }: Part) {
  return (
    <div class="fields">
      <ZoneField
        label={brandingTexts.brandingLabels.timeZone}
        value={draft.timeZone}
        onChange={timeZone => change({ timeZone })}
        error={errorAt('timeZone')}
      />
      <LanguageField
        label={brandingTexts.brandingLabels.language}
        hint={brandingTexts.languageHint}
        value={draft.language}
        onChange={language => change({ language })}
      />
    </div>
  )
}

const lines = ['name', 'email', 'phone', 'resourceWord', 'privacyUrl'] as const
const longer = ['description', 'impressum', 'terms'] as const

function Texts({ draft, change, errorAt }: Part) {
  return (
    <>
      {lines.map(field => (
        <TextField
          key={field}
          label={brandingTexts.brandingLabels[field]}
          value={draft[field] ?? ''}
          onInput={text => change({ [field]: field === 'name' ? text : text || null })}
          error={errorAt(field)}
        />
      ))}
      {longer.map(field => (
        <TextField
          key={field}
          label={brandingTexts.brandingLabels[field]}
          rows={3}
          value={draft[field] ?? ''}
          onInput={text => change({ [field]: text || null })}
          error={errorAt(field)}
        />
      ))}
      <CheckField
        label={brandingTexts.brandingLabels.termsRequired}
        checked={draft.termsRequired}
        onChange={termsRequired => change({ termsRequired })}
      />
    </>
  )
}
