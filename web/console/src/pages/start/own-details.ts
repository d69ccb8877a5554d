import type { Me } from '../../session.ts'

// Placeholders, such as the first operator's, are not prefilled: customers would see the name, and
// notifications would go to an unread address.

/** Domains reserved for examples (RFC 2606). */
const reserved = /@(.+\.)?example(\.(com|net|org))?$/i

const isPlaceholder = ({ email }: Me) => reserved.test(email)

/** People invited by address alone have the address as their name. */
export const ownNameOf = (me: Me) => (isPlaceholder(me) || me.name.includes('@') ? '' : me.name)

export const ownEmailOf = (me: Me) => (isPlaceholder(me) ? '' : me.email)
