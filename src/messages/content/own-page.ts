import type { NewMessage } from '../../db/mails.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import type { Language } from '../../languages.ts'
import { nameToGreet, oneLine, shorten, webLink } from '../../lib/clean-text.ts'
import type { OwnPageData, OwnPageKind } from '../../rules/messages/messages.ts'
import { logoAddress } from '../../rules/theme.ts'
import type { Service } from '../../service.ts'
import { textsIn } from '../texts/index.ts'
import { ownPageTexts } from '../texts/own-page.ts'
import { brandOf, legalNotice } from './details.ts'
import { type Content, plain } from './parts.ts'

/** The link that a person asked for, or the notice that they ask to be erased. */
export function ownPageEmail(
  service: Service,
  kind: OwnPageKind,
  provider: ProviderRow,
  { name, link }: Pick<OwnPageData, 'name' | 'link'>,
  { to, language }: { to: string; language: Language },
): NewMessage {
  const { name: providerName, email, impressum, accentColor, crmId, id: providerId } = provider
  const logoUrl = logoAddress(service.baseUrl, provider.logoUrl)
  const data: OwnPageData = {
    name,
    provider: { name: providerName, email, impressum, accentColor, logoUrl },
    link,
  }
  return { kind, to, data, crmId, providerId, language }
}

export function ownPageContent(kind: OwnPageKind, language: Language, data: OwnPageData): Content {
  const texts = textsIn(language)
  const provider = shorten(oneLine(data.provider.name), 100)
  const person = shorten(oneLine(data.name), 200) || '?'
  const isLink = kind === 'my-link'
  const said = isLink ? ownPageTexts[language].link : ownPageTexts[language].erasure
  const href = webLink(data.link)
  return {
    ...plain,
    language,
    brand: brandOf(data.provider, provider),
    subject: said.subject(isLink ? provider : person),
    preview: said.after,
    heading: said.heading,
    greeting: texts.greeting(isLink ? nameToGreet(data.name) : null),
    lead: said.lead(isLink ? provider : person),
    hint: said.after,
    buttons: href ? [{ label: said.button, href, primary: true }] : [],
    closing: isLink ? [texts.ignore, texts.closing, provider] : [],
    footer: [
      isLink ? texts.reasonForEmail.consumer : texts.reasonForEmail.provider(provider),
      legalNotice(data.provider, provider),
    ],
  }
}
