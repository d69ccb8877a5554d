import type { ComponentChildren } from 'preact'
import { common } from '../../common-words.ts'
import { shell } from '../../shell-words.ts'
import { Page, Tabs } from '../../ui/Page.tsx'
import { calendarTexts } from './calendars/calendar-words.ts'
import { closureTexts } from './closures/closure-words.ts'
import { texts } from './words.ts'

const tabs = [
  { path: '/offers/products', name: shell.offers },
  { path: '/offers', name: texts.resources },
  { path: '/offers/questions', name: common.questions },
  { path: '/offers/closures', name: closureTexts.title },
  { path: '/offers/calendars', name: calendarTexts.title },
  { path: '/offers/contacts', name: texts.contacts },
]

/** Title and tabs shared by all service pages. */
export function OffersPage({ action, children }: { action: ComponentChildren; children: ComponentChildren }) {
  return (
    <Page title={shell.offers} action={action}>
      <Tabs label={shell.offers} tabs={tabs} />
      {children}
    </Page>
  )
}
