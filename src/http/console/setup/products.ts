import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { changeProduct, createProduct, deleteProduct } from '../../../actions/setup/products.ts'
import { countUpcomingWithProduct } from '../../../db/scheduling/appointments.ts'
import { listProducts, resourcesWith } from '../../../db/setup/products.ts'
import { product } from '../../../entities/product.ts'
import { ProductRecord } from '../../setup/products.ts'
import { Uuid } from '../../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../../wire/if-match.ts'
import { allOf } from '../../wire/pages.ts'
import { consoleRoute } from '../../wire/route.ts'
import { productInPath, providerInPath } from '../subjects.ts'

const { reference: _, ...fields } = product.inputs
const NewProduct = Type.Object(fields, { title: 'NewProduct' })
const ProductChange = Type.Partial(Type.Object(fields), { title: 'ProductChange' })

export const listProviderProducts = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/products',
  operationId: 'listProviderProducts',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true, scope: 'settings' },
  summary: 'List Products of a Provider',
  description: 'All Products, in order of creation.',
  replies: { 200: Type.Object({ products: Type.Array(ProductRecord) }, { title: 'ProductList' }) },
  handle: async ({ service, found: provider }) => ({
    products: (await listProducts(service.db, provider.id, allOf)).map(product.record),
  }),
})

export const addProduct = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/products',
  operationId: 'addProduct',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'Add a Product',
  description: 'The service generates the reference.',
  body: NewProduct,
  replies: { 201: ProductRecord },
  async handle({ body, context }) {
    const input = { ...body, reference: `${randomUUID()}@console` }
    const { product: made } = await createProduct(context, input)
    return product.record(made)
  },
})

export const getProductSettings = consoleRoute({
  method: 'GET',
  path: '/console/api/products/:uuid',
  operationId: 'getProductSettings',
  access: { right: 'settings', whose: productInPath, scope: 'settings' },
  summary: 'Get a Product',
  description: '`PATCH` accepts the ETag as If-Match.',
  replies: { 200: ProductRecord },
  handle: async ({ reply, found }) => withEtag(reply, product.record(found)),
})

export const patchProduct = consoleRoute({
  method: 'PATCH',
  path: '/console/api/products/:uuid',
  operationId: 'updateProduct',
  access: { right: 'settings', whose: productInPath, scope: 'settings' },
  summary: 'Change a Product',
  description: 'Buffers apply to new Appointments only.',
  headers: IfMatch,
  body: ProductChange,
  replies: { 200: ProductRecord },
  async handle({ body, request, reply, found, context }) {
    const check = ifUnchanged(request, product.record)
    const saved = await changeProduct(context, found, body, check)
    return withEtag(reply, product.record(saved))
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
  summary: 'Preview the deletion of a Product',
  description: 'Changes nothing.',
  replies: { 200: Deletion },
  async handle({ service, found: { id, providerId } }) {
    const [appointments, resources] = await Promise.all([
      countUpcomingWithProduct(service.db, providerId, id),
      resourcesWith(service.db, id),
    ])
    const named = resources.map(({ internalName: name, ...rest }) => ({ ...rest, name }))
    return { appointments, resources: named }
  },
})

export const removeProduct = consoleRoute({
  method: 'DELETE',
  path: '/console/api/products/:uuid',
  operationId: 'removeProduct',
  access: { right: 'settings', whose: productInPath, scope: 'settings' },
  summary: 'Delete a Product',
  description:
    'Removes the Product from all lists; it is no longer offered. Existing Appointments do not change. Refused while a Resource links no other Product. Creating it again with the same reference creates a new Product.',
  replies: { 204: null },
  errors: ['only-product'],
  handle: ({ found, context }) => deleteProduct(context, found),
})
