import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useSession } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { moment } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { ExportButton } from '../../ui/ExportButton.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { SelectField, TextField } from '../../ui/fields/Field.tsx'
import { MailServerNote } from '../../ui/MailServerNote.tsx'
import { None, Page, Pending } from '../../ui/Page.tsx'
import { useFilters } from '../../ui/use-filters.tsx'
import { type Mail, MailPanel, MailState } from './MailPanel.tsx'
import { MailTabs } from './MailTabs.tsx'
import { texts } from './words.ts'

type Found = { mails: Mail[]; next: string | null }

/** Sent, queued and failed emails. The address holds the filter and the open email. */
export default function Mails() {
  const { params, change, clear } = useFilters()
  const state = params.get('state') ?? ''
  const to = params.get('to') ?? ''
  const open = params.get('mail')
  const [typed, setTyped] = useState(to)
  const [older, setOlder] = useState<Found[]>([])
  const { hasMailServer } = useSession()
  const { busy, run } = useSubmit()
  const query = { state: (state || null) as Mail['state'] | null, to: to || null, limit: 50 }
  const loaded = useLoad(`mails-${state}-${to}`, signal => api.get('/mails', { query, signal }))
  useEffect(() => setOlder([]), [state, to])
  const pages = loaded.data ? [loaded.data, ...older] : []
  const next = pages.at(-1)?.next
  const more = async () => {
    const page = await run(() => api.get('/mails', { query: { ...query, before: next ?? null } }))
    if (page) setOlder(before => [...before, page])
  }
  const mails = pages.flatMap(page => page.mails)
  const states = ['', 'queued', 'sent', 'failed', 'kept']
  return (
    <Page
      title={shell.mails}
      action={
        mails.length > 0 && (
          <ExportButton
            file={shell.mails}
            heads={[texts.created, texts.to, texts.subject, common.state]}
            cells={(one: Mail) => [moment(one.createdAt), one.to, one.subject, texts.states[one.state]]}
            read={async before => {
              const page = await api.get('/mails', { query: { ...query, limit: 100, before } })
              return { rows: page.mails, next: page.next }
            }}
          />
        )
      }
    >
      <MailTabs />
      <form
        class="filters"
        onSubmit={event => {
          event.preventDefault()
          change('to', typed.trim())
        }}
      >
        <SelectField
          label={common.state}
          value={state}
          options={states.map(value => ({ value, label: value ? texts.states[value]! : texts.all }))}
          onChange={value => change('state', value)}
        />
        <TextField label={texts.to} type="search" value={typed} onInput={setTyped} />
      </form>
      <MailServerNote />
      {hasMailServer && mails.some(one => one.state === 'kept') && <p class="soft">{texts.notSentText}</p>}
      <Pending of={loaded} />
      {loaded.data && mails.length === 0 && (
        <None
          isFiltered={Boolean(state || to)}
          onClear={() => {
            setTyped('')
            clear()
          }}
        >
          {texts.none}
        </None>
      )}
      {mails.length > 0 && (
        <ul class="lines">
          {mails.map(mail => (
            <li key={mail.uuid}>
              <span class="wrap">
                <Link href={`/mails?${opened(params, mail.uuid)}`}>{mail.subject ?? texts.erased}</Link>
                <br />
                <span class="soft">
                  {mail.to ?? texts.erased} · <time dateTime={mail.createdAt}>{moment(mail.createdAt)}</time>
                </span>
              </span>
              <MailState state={mail.state} />
            </li>
          ))}
        </ul>
      )}
      {next && (
        <div class="row">
          <Button busy={busy} onClick={more}>
            {common.showOlder}
          </Button>
        </div>
      )}
      {open && (
        <MailPanel uuid={open} onClose={() => change('mail', null)} onSent={() => void loaded.reload()} />
      )}
    </Page>
  )
}

function opened(params: URLSearchParams, uuid: string): string {
  const next = new URLSearchParams(params)
  next.set('mail', uuid)
  return String(next)
}
