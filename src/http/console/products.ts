import { randomUUID } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { changeProduct } from '../../actions/console/settings.ts'
import { createProduct } from '../../actions/setup/create-product.ts'
import { deleteProduct } from '../../actions/setup/delete-product.ts'
import type { ConsoleCaller } from '../../callers.ts'
import { countToComeWith } from '../../db/scheduling/appointments.ts'
import { findProductByUuid, listProducts, type ProductRow, resourcesWith } from '../../db/setup/products.ts'
import { onlyGiven } from '../../lib/only-given.ts'
import type { Service } from '../../service.ts'
import { ProductRecord, productRecord } from '../setup/products.ts'
import { longText, Minutes, Optional, OptionalText, Text, Uuid } from '../wire/fields.ts'
import { allOf } from '../wire/pages.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { IfMatch, ifUnchanged, tagged } from '../wire/unchanged.ts'
import { Nullable } from '../wire/wrapper.ts'
import { providerOf, visible } from './visible.ts'

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
  scope: 'settings',
  operationId: 'listProviderProducts',
  tag: 'Console',
  summary: 'Products of a Provider',
  description: 'All of them, in the order in which they were made.',
  replies: { 200: Type.Object({ products: Type.Array(ProductRecord) }, { title: 'ProductList' }) },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const provider = await providerOf(service, caller, params.uuid)
    return answer(200, { products: (await listProducts(service.db, provider.id, allOf)).map(productRecord) })
  },
})

export const addProduct = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/products',
  scope: 'settings',
  operationId: 'addProduct',
  tag: 'Console',
  summary: 'Add a Product',
  description: 'The reference is made by the service.',
  body: NewProduct,
  replies: { 201: ProductRecord },
  errors: ['not-found'],
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.uuid)
    const wish = { ...body, reference: `${randomUUID()}@console` }
    const { product } = await createProduct(service, caller.actor, provider, wish)
    return answer(201, productRecord(product))
  },
})

export const getProductSettings = consoleRoute({
  method: 'GET',
  path: '/console/api/products/:uuid',
  scope: 'settings',
  operationId: 'getProductSettings',
  tag: 'Console',
  summary: 'One Product',
  description: 'With an ETag, which `PATCH` takes as If-Match.',
  replies: { 200: ProductRecord },
  errors: ['not-found'],
  async handle({ params, caller, service, reply }) {
    return answer(200, tagged(reply, productRecord(await productOf(service, caller, params.uuid))))
  },
})

export const patchProduct = consoleRoute({
  method: 'PATCH',
  path: '/console/api/products/:uuid',
  scope: 'settings',
  operationId: 'updateProduct',
  tag: 'Console',
  summary: 'Change a Product',
  description: 'Buffers concern Appointments made from now on.',
  headers: IfMatch,
  body: ProductChange,
  replies: { 200: ProductRecord },
  errors: ['not-found', 'changed'],
  async handle({ params, body, caller, service, request, reply }) {
    const product = await productOf(service, caller, params.uuid)
    const check = ifUnchanged(request, productRecord)
    const saved = await changeProduct(service, caller.actor, product, productChange(body), check)
    return answer(200, tagged(reply, productRecord(saved)))
  },
})

const Deletion = Type.Object(
  {
    appointments: Type.Number({ description: 'Appointments to come with it, which stay as they are.' }),
    resources: Type.Array(
      Type.Object({
        uuid: Uuid,
        name: Type.String({ description: 'As the staff call it.' }),
        isOnly: Type.Boolean({ description: 'It links no other Product, and so stands in the way.' }),
      }),
      { description: 'Resources that link it.' },
    ),
  },
  { title: 'ProductDeletion' },
)

export const previewProductDeletion = consoleRoute({
  method: 'GET',
  path: '/console/api/products/:uuid/deletion',
  scope: 'settings',
  operationId: 'previewProductDeletion',
  tag: 'Console',
  summary: 'What hangs on a Product?',
  description: 'Changes nothing.',
  replies: { 200: Deletion },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const { id, providerId } = await productOf(service, caller, params.uuid)
    const [appointments, resources] = await Promise.all([
      countToComeWith(service.db, providerId, id),
      resourcesWith(service.db, id),
    ])
    const named = resources.map(({ internalName: name, ...rest }) => ({ ...rest, name }))
    return answer(200, { appointments, resources: named })
  },
})

export const removeProduct = consoleRoute({
  method: 'DELETE',
  path: '/console/api/products/:uuid',
  scope: 'settings',
  operationId: 'removeProduct',
  tag: 'Console',
  summary: 'Delete a Product',
  description:
    'It leaves every list and is offered no more; Appointments with it stay as they are. Refused while a Resource links nothing else. Created again under its reference it begins anew.',
  replies: { 204: null },
  errors: ['not-found', 'only-product'],
  async handle({ params, caller, service }) {
    await deleteProduct(service, caller.actor, await productOf(service, caller, params.uuid))
    return noContent()
  },
})

const productOf = (service: Service, caller: ConsoleCaller, uuid: string) =>
  visible(
    'Product',
    uuid,
    caller,
    row => row.providerId,
    () => findProductByUuid(service.db, uuid),
  )

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
  return onlyGiven(change) as Partial<ProductRow>
}
