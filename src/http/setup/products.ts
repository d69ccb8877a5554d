import Type from 'typebox'
import { lockProductRecord } from '../../actions/setup/lock-records.ts'
import {
  changeProduct,
  createProduct as create,
  createProducts as createAll,
  deleteProduct as remove,
} from '../../actions/setup/products.ts'
import type { ProviderContext } from '../../callers.ts'
import { findProduct, listProducts } from '../../db/setup/products.ts'
import { product } from '../../entities/product.ts'
import { notFound } from '../../errors.ts'
import { Either, maxBatchEntries } from '../wire/fields.ts'
import { pageOf, pageQuery, readPage } from '../wire/pages.ts'
import { refuseRepeats } from '../wire/requests/body.ts'
import { answer, crmRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('B1. Products')

const { leadTimeMinutes: _lead, followUpTimeMinutes: _followUp, ...fields } = product.inputs
const ProductInput = Type.Object(fields, { title: 'ProductInput' })
export const ProductRecord = Type.Object(product.outputs, { title: 'Product' })
const ProductReply = Wrapped({ product: ProductRecord })
const ProductsInput = Type.Object(
  { products: Type.Array(ProductInput, { minItems: 1, maxItems: maxBatchEntries }) },
  { title: 'ProductsInput' },
)
const Created = Type.Union([Wrapped({ products: Type.Array(ProductRecord) }), ProductReply])

export const createProduct = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/products',
  operationId: 'createProduct',
  summary: 'Create Product',
  description:
    'Creates one Product, or several with `products` (all or none). If the reference exists, updates the fields that are sent (200). Set buffers in the console.',
  body: Either('products', ProductsInput, ProductInput),
  replies: { 200: Created, 201: Created },
  isBatch: true,
  async handle({ body, context }) {
    if ('products' in body && body.products) {
      refuseRepeats('products', 'reference', body.products)
      const { products, created } = await createAll(context, body.products)
      return answer(created ? 201 : 200, wrap({ products: products.map(product.record) }))
    }
    const one = body as Type.Static<typeof ProductInput>
    const { product: made, created } = await create(context, one)
    return answer(created ? 201 : 200, wrap({ product: product.record(made) }))
  },
})

export const getProducts = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/products',
  operationId: 'getProducts',
  summary: 'Get Products',
  description: 'All Products of the Provider.',
  query: pageQuery,
  replies: { 200: Type.Array(ProductRecord) },
  isList: true,
  async handle({ query, service, request, reply, found: provider }) {
    const rows = await listProducts(service.db, provider.id, readPage(query, 1))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.id])
    return page.map(product.record)
  },
})

async function productOf({ service, provider }: ProviderContext, reference: string) {
  const found = await findProduct(service.db, provider.id, reference)
  if (!found) throw notFound('Product', reference)
  return found
}

const oneProduct = '/crms/:crmId/provider/:providerRef/products/:productRef'

export const getProduct = crmRoute({
  method: 'GET',
  path: oneProduct,
  operationId: 'getProduct',
  summary: 'Get Product',
  description: 'Returns 404 if the Provider has no Product with this reference.',
  isRecord: true,
  replies: { 200: ProductReply },
  handle: async ({ params, context }) =>
    wrap({ product: product.record(await productOf(context, params.productRef)) }),
})

const { reference: _, ...changeable } = fields

export const updateProduct = crmRoute({
  method: 'PUT',
  path: oneProduct,
  operationId: 'changeProduct',
  summary: 'Update Product',
  description:
    'Changes only the fields that are sent; null clears an optional field. The reference stays. Set buffers in the console.',
  body: Type.Partial(Type.Object(changeable), { title: 'ProductUpdate' }),
  ifMatch: { record: getProduct, lock: lockProductRecord },
  replies: { 200: ProductReply },
  async handle({ params, body, context }) {
    const found = await productOf(context, params.productRef)
    const saved = await changeProduct(context, found, body)
    return wrap({ product: product.record(saved) })
  },
})

export const deleteProduct = crmRoute({
  method: 'DELETE',
  path: oneProduct,
  operationId: 'deleteProduct',
  summary: 'Delete Product',
  description:
    'The Product is no longer offered; existing Appointments do not change. Refused while a Resource links no other Product. Creating it again with the same reference creates a new Product.',
  ifMatch: { record: getProduct, lock: lockProductRecord },
  replies: { 204: null },
  errors: ['only-product'],
  async handle({ params, context }) {
    await remove(context, await productOf(context, params.productRef))
  },
})
