import { randomUUID } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { changeProduct } from '../../actions/console/settings.ts'
import { createProduct } from '../../actions/setup/create-product.ts'
import { deleteProduct } from '../../actions/setup/delete-product.ts'
import { countUpcomingWithProduct } from '../../db/scheduling/appointments.ts'
import { listProducts, type ProductRow, resourcesWith } from '../../db/setup/products.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { ProductRecord, productRecord } from '../setup/products.ts'
import { longText, Minutes, Optional, OptionalText, Text, Uuid } from '../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../wire/if-match.ts'
import { allOf } from '../wire/pages.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { productInPath, providerInPath } from './subjects.ts'

const Buffer = Type.Integer({ minimum: 0, maximum: 10_080 })

const fields = {
  name: Text(),
  description: OptionalText(longText),
  minDuration: Optional(Minutes),
  maxDuration: Optional(Minutes),
}

const NewProduct = Type.Object(
  { ...fields, leadTimeMinutes: Optional(Buffer), followUpTimeMinutes: Optional(Buffer) },
  { title: 'NewProduct' },
)
const ProductChange = Type.Partial(
  Type.Object({ ...fields, leadTimeMinutes: Nullable(Buffer), followUpTimeMinutes: Nullable(Buffer) }),
  { title: 'ProductChange' },
)

export const listProviderProducts = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/products',
  operationId: 'listProviderProducts',
  access: { right: 'see-calendar', whose: providerInPath, scope: 'settings' },
  tag: 'Console',
  summary: 'List Products of a Provider',
  description: 'All Products, in order of creation.',
  replies: { 200: Type.Object({ products: Type.Array(ProductRecord) }, { title: 'ProductList' }) },
  async handle({ service, found: provider }) {
    return answer(200, { products: (await listProducts(service.db, provider.id, allOf)).map(productRecord) })
  },
})

export const addProduct = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/products',
  operationId: 'addProduct',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  tag: 'Console',
  summary: 'Add a Product',
  description: 'The service generates the reference.',
  body: NewProduct,
  replies: { 201: ProductRecord },
  async handle({ body, caller, service, found: provider }) {
    const input = { ...body, reference: `${randomUUID()}@console` }
    const { product } = await createProduct(service, caller.actor, provider, input)
    return answer(201, productRecord(product))
  },
})

export const getProductSettings = consoleRoute({
  method: 'GET',
  path: '/console/api/products/:uuid',
  operationId: 'getProductSettings',
  access: { right: 'settings', whose: productInPath, scope: 'settings' },
  tag: 'Console',
  summary: 'Get a Product',
  description: '`PATCH` accepts the ETag as If-Match.',
  replies: { 200: ProductRecord },
  async handle({ reply, found }) {
    return answer(200, withEtag(reply, productRecord(found)))
  },
})

export const patchProduct = consoleRoute({
  method: 'PATCH',
  path: '/console/api/products/:uuid',
  operationId: 'updateProduct',
  access: { right: 'settings', whose: productInPath, scope: 'settings' },
  tag: 'Console',
  summary: 'Change a Product',
  description: 'Buffers apply to new Appointments only.',
  headers: IfMatch,
  body: ProductChange,
  replies: { 200: ProductRecord },
  errors: ['changed'],
  async handle({ body, caller, service, request, reply, found: product }) {
    const check = ifUnchanged(request, productRecord)
    const saved = await changeProduct(service, caller.actor, product, productChange(body), check)
    return answer(200, withEtag(reply, productRecord(saved)))
  },
})

const Deletion = Type.Object(
  {
    appointments: Type.Number({
      description: 'Upcoming Appointments with this Product. They do not change.',
    }),
    resources: Type.Array(
      Type.Object({
        uuid: Uuid,
        name: Type.String({ description: 'Internal name.' }),
        isOnly: Type.Boolean({
          description: 'The Resource links no other Product, which prevents the deletion.',
        }),
      }),
      { description: 'Resources that link this Product.' },
    ),
  },
  { title: 'ProductDeletion' },
)

export const previewProductDeletion = consoleRoute({
  method: 'GET',
  path: '/console/api/products/:uuid/deletion',
  operationId: 'previewProductDeletion',
  access: { right: 'settings', whose: productInPath, scope: 'settings' },
  tag: 'Console',
  summary: 'Preview the deletion of a Product',
  description: 'Changes nothing.',
  replies: { 200: Deletion },
  async handle({ service, found: { id, providerId } }) {
    const [appointments, resources] = await Promise.all([
      countUpcomingWithProduct(service.db, providerId, id),
      resourcesWith(service.db, id),
    ])
    const named = resources.map(({ internalName: name, ...rest }) => ({ ...rest, name }))
    return answer(200, { appointments, resources: named })
  },
})

export const removeProduct = consoleRoute({
  method: 'DELETE',
  path: '/console/api/products/:uuid',
  operationId: 'removeProduct',
  access: { right: 'settings', whose: productInPath, scope: 'settings' },
  tag: 'Console',
  summary: 'Delete a Product',
  description:
    'Removes the Product from all lists; it is no longer offered. Existing Appointments do not change. Refused while a Resource links no other Product. Creating it again with the same reference creates a new Product.',
  replies: { 204: null },
  errors: ['only-product'],
  async handle({ caller, service, found }) {
    await deleteProduct(service, caller.actor, found)
    return noContent()
  },
})

function productChange(body: Static<typeof ProductChange>): Partial<ProductRow> {
  const { minDuration, maxDuration, leadTimeMinutes, followUpTimeMinutes, name, description } = body
  const change = {
    name,
    description,
    minDuration,
    maxDuration,
    leadMinutes: leadTimeMinutes,
    followUpMinutes: followUpTimeMinutes,
  }
  return omitUndefined(change) as Partial<ProductRow>
}
