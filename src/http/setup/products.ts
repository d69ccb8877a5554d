import Type from 'typebox'
import { createProduct as create } from '../../actions/setup/create-product.ts'
import { listProducts, type ProductRow } from '../../db/setup/products.ts'
import { longText, Minutes, Optional, OptionalText, Reference, Text, Uuid } from '../wire/fields.ts'
import { answer, crmRoute } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'
import { providerOf } from './providers.ts'

const ProductInput = Type.Object(
  {
    reference: Reference,
    name: Text(),
    description: OptionalText(longText),
    minDuration: Optional(Minutes),
    maxDuration: Optional(Minutes),
  },
  { title: 'ProductInput' },
)

export const ProductRecord = Type.Object(
  {
    uuid: Uuid,
    reference: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    minDuration: Nullable(Type.Number()),
    maxDuration: Nullable(Type.Number()),
    leadTimeMinutes: Nullable(Type.Number()),
    followUpTimeMinutes: Nullable(Type.Number()),
  },
  { title: 'Product' },
)

const ProductReply = Wrapped({ product: ProductRecord })

export const createProduct = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/products',
  operationId: 'createProduct',
  tag: 'B1. Products',
  scope: 'scheduling',
  summary: 'Create Product',
  description: 'A known reference updates the fields that are sent (200). Buffers are set in the console.',
  body: ProductInput,
  replies: { 200: ProductReply, 201: ProductReply },
  errors: ['not-found'],
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    const { product, created } = await create(service, caller.actor, provider, body)
    return answer(created ? 201 : 200, wrap({ product: productRecord(product) }))
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
  replies: { 200: Type.Array(ProductRecord) },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const provider = await providerOf(service, caller, params.providerRef)
    return answer(200, (await listProducts(service.db, provider.id)).map(productRecord))
  },
})

export function productRecord(product: ProductRow) {
  return {
    uuid: product.uuid,
    reference: product.reference,
    name: product.name,
    description: product.description,
    minDuration: product.min_duration,
    maxDuration: product.max_duration,
    leadTimeMinutes: product.lead_minutes,
    followUpTimeMinutes: product.follow_up_minutes,
  }
}
