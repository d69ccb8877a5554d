import type { Service } from './service.ts'

export type CancelLinkParts = {
  participation_uuid: string
  customer_uuid: string | null
  appointment_uuid: string
  resource_uuid: string
  resource_reference: string
  crm: string
}

/** Our cancel page, for mails and calendars: short, and nothing in it but the key. */
export function shortCancelLink({ signer, baseUrl }: Service, participationUuid: string): string {
  return `${baseUrl}/cancel/${signer.sign('cancel', participationUuid)}`
}

/**
 * Our cancel page, with the parameters that a page with an embedded widget hands on to it: the link works alone and
 * for a widget.
 */
export function cancelLink({ signer, baseUrl }: Service, parts: CancelLinkParts): string {
  const token = signer.sign('cancel', parts.participation_uuid)
  const query = new URLSearchParams({
    ref: parts.resource_reference,
    resId: parts.resource_uuid,
    pDataPlatform: parts.crm,
    pDataId: parts.customer_uuid ?? '',
    'X-SIGNED-APP-CUSTOMER': token,
  })
  return `${baseUrl}/cancel/${token}?${query}#/appointment/${parts.appointment_uuid}`
}

/** Pages on which the provider's contact answers a request. */
export function decisionLink(
  { signer, baseUrl }: Service,
  answer: 'accept' | 'decline',
  participationUuid: string,
) {
  return `${baseUrl}/${answer}/${signer.sign('decide', participationUuid)}`
}
