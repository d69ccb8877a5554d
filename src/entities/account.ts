import Type from 'typebox'
import { elsewhere, entity, internal, optional, required, updatedAt } from './entity.ts'
import { AddressRecord, Branch, BranchInput, Email, InvoiceAddress, Reference } from './fields.ts'

const Line = Type.String({ maxLength: 1000 })

export const account = entity('account', {
  id: internal<number>(),
  ownerReference: elsewhere(required(Reference)),
  accountReference: required(Reference, { column: 'reference' }),
  branch: required(BranchInput, { output: Branch }),
  invoiceAddress: optional(InvoiceAddress, { output: AddressRecord }),
  invoiceContactName: optional(Line),
  invoiceCompanyName: optional(Line),
  invoiceTaxId: optional(Type.String({ maxLength: 255 })),
  email: optional(Email),
  updatedAt,
})
