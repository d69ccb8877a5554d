import Type, { type Static } from 'typebox'
import { searchCustomers } from '../../../db/scheduling/customer-search.ts'
import { countryOfZone, mobileKey } from '../../../rules/people/phones.ts'
import { Choice, EmailText, Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { providerInPath } from '../subjects.ts'

const Match = Type.Object(
  {
    uuid: Uuid,
    name: Type.String(),
    email: Nullable(EmailText),
    mobile: Nullable(Type.String()),
    same: Type.Array(Choice(['name', 'email', 'mobile']), { description: 'Fields in which both match.' }),
  },
  { title: 'CustomerMatch' },
)

type Known = Omit<Static<typeof Match>, 'same'>

const typed = (what: string) => Type.Optional(Type.String({ maxLength: 254, description: what }))
const maxMatches = 5
const maxSearched = 100

export const findCustomerMatches = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/customer-matches',
  operationId: 'findCustomerMatches',
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  summary: 'Find Customers similar to a new one',
  description:
    'Customers with the same name, email or number, however it is written. Use it before adding a Customer to avoid duplicates.',
  query: { name: typed('Full name.'), email: typed('Email address.'), mobile: typed('Phone number.') },
  replies: { 200: Type.Object({ customers: Type.Array(Match) }, { title: 'CustomerMatches' }) },
  async handle({ query, service, found: provider, only }) {
    const country = countryOfZone(provider.timeZone)
    const keyOf = (field: Field, text: string | null | undefined) =>
      field === 'mobile' ? mobileKey(text, country) : folded(text)
    const found = new Map<string, Known>()
    for (const field of fields)
      if (keyOf(field, query[field]))
        for (const one of await searchCustomers(
          service.db,
          provider.id,
          query[field]!,
          maxSearched,
          country,
          only,
        ))
          found.set(one.uuid, one)
    const customers = [...found.values()]
      .map(({ uuid, name, email, mobile }) => {
        const known = { name, email, mobile }
        const isSame = (field: Field) =>
          keyOf(field, query[field]) !== null && keyOf(field, query[field]) === keyOf(field, known[field])
        return { uuid, ...known, same: fields.filter(isSame) }
      })
      .filter(one => one.same.length > 0)
      .slice(0, maxMatches)
    return { customers }
  },
})

const fields = ['name', 'email', 'mobile'] as const
type Field = (typeof fields)[number]

/** Case, accents and double spaces do not make a different person. */
const folded = (text: string | null | undefined): string | null =>
  text?.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim() || null
