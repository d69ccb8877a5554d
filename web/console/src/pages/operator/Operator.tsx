import { useState } from 'preact/hooks'
import type { Language } from '#shared/texts/index.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { shell } from '../../shell-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { ExportList, exportTexts } from '../../ui/ExportButton.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { NameField } from '../../ui/fields/Field.tsx'
import { LanguageField } from '../../ui/fields/PlaceFields.tsx'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Empty, Page, SectionHead, Skeleton, Trouble } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { languageName } from '../../words.ts'
import { Managers } from '../people/Managers.tsx'
import { Jobs } from './Jobs.tsx'
import { Status } from './Status.tsx'
import { texts } from './words.ts'

type Crm = Schemas['Crm']

const mostWithoutSearch = 20
const mostShown = 100

/** For operators: health, CRMs and logins of the installation. */
export default function Operator() {
  const [search, setSearch] = useState('')
  const wanted = search.trim()
  const loaded = useLoad(wanted ? `crms-${wanted}` : 'crms', signal =>
    api.get('/crms', { query: wanted ? { search: wanted } : {}, signal }),
  )
  const [isMaking, setMaking] = useState(false)
  const crms = loaded.data?.crms
  const make = (
    <Button kind="main" onClick={() => setMaking(true)}>
      {texts.createCrm}
    </Button>
  )
  return (
    <Page title={shell.operator} action={make}>
      {crms?.length === 0 && wanted === '' && <Empty action={make}>{texts.gettingStartedText}</Empty>}
      <Status />
      <section class="stack" aria-labelledby="crms">
        <SectionHead
          id="crms"
          title={texts.crms}
          action={
            <ExportList
              file={texts.crms}
              heads={[common.name, exportTexts.details]}
              cells={(one: Crm) => [one.name, factsOf(one)]}
              rows={crms}
            />
          }
        />
        {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
        {(wanted !== '' || (crms?.length ?? 0) > mostWithoutSearch) && (
          <SearchField label={common.search} value={search} onInput={setSearch} />
        )}
        {loaded.isLoading && <Skeleton rows={2} />}
        {crms?.length === 0 && wanted !== '' && <p class="soft">{common.noResults}</p>}
        <ul class="lines">
          {crms?.slice(0, mostShown).map(crm => (
            <li key={crm.name}>
              <strong>{crm.name}</strong>
              <span class="soft">{factsOf(crm)}</span>
            </li>
          ))}
        </ul>
      </section>
      <Jobs />
      <Managers title={texts.logins} text={texts.loginsText} isWanted={() => true} />
      {isMaking && (
        <MakeCrm
          onClose={() => setMaking(false)}
          onDone={() => {
            setMaking(false)
            showToast(texts.crmCreated)
            void loaded.reload()
          }}
        />
      )}
    </Page>
  )
}

const factsOf = (crm: Crm) =>
  [
    crm.language && languageName(crm.language),
    texts.providers(crm.providers),
    texts.keys(crm.keys),
    crm.movedTo !== null ? texts.moved : crm.isSuspended && texts.suspended,
  ]
    .filter(Boolean)
    .join(' · ')

function MakeCrm({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const [name, setName] = useState('')
  const [language, setLanguage] = useState<Language>('de')
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await run(() => api.post('/crms', { name, language }))) onDone()
  }
  return (
    <Dialog title={texts.createCrm} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <NameField
          label={common.name}
          hint={texts.nameHint}
          value={name}
          onInput={setName}
          error={errorAt('name')}
        />
        <LanguageField label={common.emailLanguage} value={language} onChange={setLanguage} />
        <DialogButtons onClose={onClose} action={texts.createCrm} busy={busy} />
      </form>
    </Dialog>
  )
}
