import type { ComponentChildren } from 'preact'
import { Page } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { closureTexts } from './closures/closure-words.ts'
import { texts } from './words.ts'

const tabs = [
  { path: '/offers', name: texts.resources },
  { path: '/offers/products', name: texts.products },
  { path: '/offers/closures', name: closureTexts.title },
  { path: '/offers/contacts', name: texts.contacts },
]

/** The frame of all that is offered. */
export function OffersPage({ action, children }: { action: ComponentChildren; children: ComponentChildren }) {
  return (
    <Page title={texts.title} action={action}>
      <Tabs label={texts.title} tabs={tabs} />
      {children}
    </Page>
  )
}
