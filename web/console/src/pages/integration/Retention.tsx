import { common } from '../../common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { ConflictNotice } from '../../ui/editing/ConflictNotice.tsx'
import { useEdit } from '../../ui/editing/use-edit.ts'
import { NumberField } from '../../ui/fields/Field.tsx'
import { Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './retention-words.ts'

/** How long the CRM keeps personal data. */
export function Retention({ crm }: { crm: string }) {
  const edit = useEdit(`/crms/${encodeURIComponent(crm)}/retention`)
  const { draft } = edit
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await edit.save()) showToast(common.saved, { about: common.retention })
  }
  return (
    <section class="card stack" aria-labelledby="retention">
      <h2 id="retention">{common.retention}</h2>
      <p class="soft">{texts.text}</p>
      <Pending of={edit.loading} rows={3} />
      {draft && (
        <form class="stack" onSubmit={submit} noValidate>
          <ConflictNotice theirs={edit.theirs} labels={texts.labels} onDrop={edit.drop} />
          <div class="fields">
            <NumberField
              label={texts.labels.mailDays}
              hint={texts.emptyDays(draft.forAll.mailDays)}
              min={7}
              max={36_500}
              value={draft.mailDays}
              onInput={mailDays => edit.change({ mailDays })}
              error={edit.errorAt('mailDays')}
            />
            <NumberField
              label={texts.labels.customerMonths}
              hint={texts.emptyMonths(draft.forAll.customerMonths)}
              min={1}
              max={1200}
              value={draft.customerMonths}
              onInput={customerMonths => edit.change({ customerMonths })}
              error={edit.errorAt('customerMonths')}
            />
          </div>
          <div class="save-bar">
            <Button kind="main" type="submit" busy={edit.busy} disabled={!edit.isChanged}>
              {common.save}
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}
