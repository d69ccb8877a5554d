import type { Client, FetchResponse, MaybeOptionalInit } from 'openapi-fetch'
import type { paths } from './schema.ts'

type Media = `${string}/${string}`
type InitOf<Path extends keyof paths> = MaybeOptionalInit<paths[Path], 'post'>
type PostPath = { [P in keyof paths]: paths[P] extends { post: object } ? P : never }[keyof paths]

/** Calls that take one record or several: the field that only a batch sends, and the one that only its answer has. */
type Batches = {
  '/crms/{crmId}/provider/{providerRef}/products': ['products', 'products']
  '/crms/{crmId}/provider/{providerRef}/resources': ['resources', 'resources']
  '/crms/{crmId}/provider/{providerRef}/customers': ['customers', 'customers']
  '/crms/{crmId}/provider/{providerRef}/appointments': ['series_data', 'seriesId']
}

type DataFor<Path, Init, Data> = Path extends keyof Batches
  ? Init extends { body: Record<Batches[Path][0], unknown> }
    ? Extract<Data, Record<Batches[Path][1], unknown>>
    : Exclude<Data, Record<Batches[Path][1], unknown>>
  : Data

/** Keeps both sides of the union, so that `error` still tells them apart. */
type Narrowed<Path, Init, Answer> = Answer extends { error?: never; data: infer Data }
  ? Omit<Answer, 'data'> & { data: DataFor<Path, Init, Data> }
  : Answer

type Arguments<Init> = undefined extends Init
  ? [init?: Init & { [key: string]: unknown }]
  : [init: Init & { [key: string]: unknown }]

type Post = <Path extends PostPath, Init extends InitOf<Path>>(
  url: Path,
  ...init: Arguments<Init>
) => Promise<Narrowed<Path, Init, FetchResponse<paths[Path]['post'] & {}, Init, Media>>>

/** Like openapi-fetch's client, but the answer of a single create is not a union with that of a batch. */
export type HoldfastClient = Omit<Client<paths>, 'POST'> & { POST: Post }
