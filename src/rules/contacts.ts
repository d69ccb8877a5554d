type Person = {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  mobile: string | null
}

type Channel = { label: string | null; type: 'email' | 'phone' | 'mobile'; value: string }

/** How a User without a profile of their own is presented. */
export function generalProfileOf(user: Person): { name: string; channels: Channel[] } {
  const types = ['email', 'phone', 'mobile'] as const
  return {
    name: fullName(user),
    channels: types.flatMap(type => (user[type] ? [{ label: null, type, value: user[type] }] : [])),
  }
}

export const fullName = ({ first_name, last_name }: Pick<Person, 'first_name' | 'last_name'>) =>
  [first_name, last_name].filter(Boolean).join(' ')
