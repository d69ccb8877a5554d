import { listProducts } from '../../db/setup/products.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { listResources } from '../../db/setup/resources.ts'
import type { Language } from '../../languages.ts'
import { checkOwnText } from '../../mail/own-text.ts'
import { previewEmail } from '../../mail/preview.ts'
import type { MailKind } from '../../rules/messages/emails.ts'
import type { Service } from '../../service.ts'

type Wanted = { kind: MailKind; language: Language; text: string | null }

/** With the first service and Resource of the business. */
export async function previewOf({ db, baseUrl }: Service, provider: ProviderRow, wanted: Wanted) {
  if (wanted.text) checkOwnText('text', wanted.text)
  const first = { after: null, limit: 1 }
  const [[product], [resource]] = await Promise.all([
    listProducts(db, provider.id, first),
    listResources(db, provider.id, first),
  ])
  const offer = {
    ...(product && { service: product.name }),
    ...(resource && { person: resource.publicName }),
  }
  return previewEmail(baseUrl, provider, offer, wanted)
}
