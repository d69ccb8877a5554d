import type { ComponentChildren } from 'preact'
import { shell } from '../../shell-words.ts'
import { Page } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { briefTexts as questionTexts } from '../questions/brief-words.ts'
import { calendarTexts } from './calendars/calendar-words.ts'
import { closureTexts } from './closures/closure-words.ts'
import { texts } from './words.ts'

const tabs = [
  { path: '/offers', name: texts.resources },
  { path: '/offers/products', name: texts.products },
  { path: '/offers/questions', name: questionTexts.title },
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
