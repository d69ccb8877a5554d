import { useLocation } from 'wouter-preact'
import { common } from '../../common-words.ts'
import { may, useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { Tabs } from '../../ui/Page.tsx'
import { feedTexts } from './feed-words.ts'
import { texts } from './words.ts'

/** Only owners see Branding and subscriptions. */
export function ChannelTabs() {
  const provider = useProvider()
  const [location] = useLocation()
  const isOfResource = /^\/channels\/[0-9a-f-]{36}\//.test(location)
  const tabs = [
    { path: '/channels', name: common.settings },
    { path: isOfResource ? location : '/channels/resources', name: texts.perResource },
    ...(may(provider, 'manage')
      ? [
          { path: '/channels/look', name: texts.branding },
          { path: '/channels/subscriptions', name: feedTexts.tab },
        ]
      : []),
  ]
  return <Tabs label={shell.channels} tabs={tabs} />
}
