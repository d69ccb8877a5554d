type Address = { street?: string; number?: string; zip?: string; city?: string }

/** An address, structured or free text, on one line. */
export function addressLine(address: unknown): string {
  if (typeof address === 'string') return address
  if (typeof address !== 'object' || address === null) return ''
  const { street = '', number = '', zip = '', city = '' } = address as Address
  return [`${street} ${number}`.trim(), `${zip} ${city}`.trim()].filter(part => part !== '').join(', ')
}
