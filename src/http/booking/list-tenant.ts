/**
 * Whose share of list building a request uses: heavy lists of one tenant must not slow down those of others.
 * Lists across tenants have a share of their own: otherwise a request could spend another tenant's share by
 * naming one of its Resources.
 */
export function tenantOf(wanted: { crmId: number }[]): string {
  const [first] = wanted
  return wanted.every(one => one.crmId === first?.crmId) ? `crm ${first?.crmId}` : 'several'
}
