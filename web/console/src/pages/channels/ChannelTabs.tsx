import { may, useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { feedTexts } from './feed-words.ts'
import { texts } from './words.ts'

/** Only owners see Branding. */
export function ChannelTabs() {
  const provider = useProvider()
  if (!may(provider, 'manage')) return null
  const tabs = [
    { path: '/channels', name: texts.settings },
    { path: '/channels/look', name: texts.branding },
    { path: '/channels/subscriptions', name: feedTexts.tab },
  ]
  return <Tabs label={shell.channels} tabs={tabs} />
}
