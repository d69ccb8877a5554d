import { useMay } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { Tabs } from '../../ui/Page.tsx'
import { texts } from './text-words.ts'

/** Only those who manage the business write texts. */
export function MailTabs() {
  if (!useMay('manage')) return null
  const tabs = [
    { path: '/mails', name: texts.outbox },
    { path: '/mails/texts', name: texts.tab },
  ]
  return <Tabs label={shell.mails} tabs={tabs} />
}
