import Type from 'typebox'
import { createProduct as create, createProducts as createAll } from '../../actions/setup/create-product.ts'
import { listProducts } from '../../db/setup/products.ts'
import { product } from '../../entities/product.ts'
import { Either, maxBatchEntries } from '../wire/fields.ts'
import { pageOf, pageQuery, readPage } from '../wire/pages.ts'
import { refuseRepeats } from '../wire/requests/repeats.ts'
import { answer, crmRoute } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { providerOf } from './providers.ts'

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
  tag: 'B1. Products',
  scope: 'scheduling',
  summary: 'Create Product',
  description:
    'Creates one Product, or several with `products` (all or none). If the reference exists, updates the fields that are sent (200). Set buffers in the console.',
  body: Either('products', ProductsInput, ProductInput),
  replies: { 200: Created, 201: Created },
  errors: ['not-found'],
  isBatch: true,
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    if ('products' in body && body.products) {
      refuseRepeats('products', 'reference', body.products)
      const { products, created } = await createAll(service, caller.actor, provider, body.products)
      return answer(created ? 201 : 200, wrap({ products: products.map(product.record) }))
    }
    const one = body as Type.Static<typeof ProductInput>
    const { product: made, created } = await create(service, caller.actor, provider, one)
    return answer(created ? 201 : 200, wrap({ product: product.record(made) }))
  },
})

export const getProducts = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/products',
  operationId: 'getProducts',
  tag: 'B1. Products',
  scope: 'scheduling',
  summary: 'Get Products',
  description: 'All Products of the Provider.',
  query: pageQuery,
  replies: { 200: Type.Array(ProductRecord), 304: null },
  errors: ['not-found'],
  isList: true,
  async handle({ params, query, caller, service, request, reply }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const rows = await listProducts(service.db, provider.id, readPage(query, 1))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.id])
    return answer(200, page.map(product.record))
  },
})
