import { Link, useParams } from 'wouter-preact'
import { common } from '../../../common-words.ts'
import { useGo } from '../../../navigation.ts'
import type { Product, Resource } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { shell } from '../../../shell-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { ExportList } from '../../../ui/ExportButton.tsx'
import { Empty, Pending } from '../../../ui/Page.tsx'
import { useListFilter } from '../../../ui/use-filters.tsx'
import { OffersPage } from '../OffersPage.tsx'
import { useProducts, useResources } from '../offers.ts'
import { Pictured } from '../Pictured.tsx'
import { NewProduct, ProductPanel } from './ProductPanel.tsx'
import { productTexts } from './product-words.ts'

/** Products with duration and buffers. */
export default function Products() {
  const { uuid } = useParams<{ uuid?: string }>()
  const go = useGo()
  const loaded = useProducts()
  const resources = useResources().data?.resources ?? []
  const close = () => go('/offers/products')
  const done = () => {
    void loaded.reload()
    close()
  }
  const add = (
    <Button kind="main" onClick={() => go('/offers/products/new')}>
      {productTexts.addProduct}
    </Button>
  )
  const products = loaded.data?.products
  return (
    <OffersPage action={products?.length !== 0 && add}>
      <Pending of={loaded} />
      {products?.length === 0 && <Empty action={add}>{productTexts.noProducts}</Empty>}
      {products && products.length > 0 && <List products={products} resources={resources} />}
      {uuid === 'new' && <NewProduct onClose={close} onDone={done} />}
      {uuid && uuid !== 'new' && <ProductPanel key={uuid} uuid={uuid} onClose={close} onDone={done} />}
    </OffersPage>
  )
}

type Props = { products: Product[]; resources: Resource[] }

function List({ products, resources }: Props) {
  const { uuid } = useProvider()
  const { box, found } = useListFilter(`products-${uuid}`, products, one => `${one.name} ${one.reference}`)
  return (
    <>
      {box}
      <div class="row">
        <ExportList
          file={shell.offers}
          heads={[
            common.name,
            productTexts.duration,
            productTexts.price,
            productTexts.buffers,
            productTexts.offeredBy,
          ]}
          cells={(one: Product) => [
            one.name,
            durationOf(one),
            one.priceText ?? '',
            buffersOf(one),
            offeredBy(one, resources),
          ]}
          rows={found}
        />
      </div>
      {found.length > 0 && <Table products={found} resources={resources} />}
    </>
  )
}

const Table = ({ products, resources }: Props) => (
  <div class="table-frame">
    <table class="table cards">
      <thead>
        <tr>
          <th>{common.name}</th>
          <th>{productTexts.duration}</th>
          <th>{productTexts.price}</th>
          <th>{productTexts.buffers}</th>
          <th>{productTexts.offeredBy}</th>
        </tr>
      </thead>
      <tbody>
        {products.map(one => (
          <tr key={one.uuid}>
            <th scope="row">
              <Pictured url={one.imageUrl} name={one.name}>
                <Link href={`/offers/products/${one.uuid}`}>{one.name}</Link>
              </Pictured>
            </th>
            <td class="figures">{durationOf(one)}</td>
            <td class="figures">{one.priceText}</td>
            <td class="figures">{buffersOf(one)}</td>
            <td>{offeredBy(one, resources)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function durationOf({ minDuration, maxDuration }: Product): string {
  if (minDuration === null && maxDuration === null) return productTexts.oneSlot
  if (minDuration === maxDuration) return productTexts.inMinutes(minDuration!)
  if (maxDuration === null) return productTexts.atLeast(minDuration!)
  if (minDuration === null) return productTexts.atMost(maxDuration)
  return `${minDuration} – ${productTexts.inMinutes(maxDuration)}`
}

function buffersOf({ leadTimeMinutes, followUpTimeMinutes }: Product): string {
  const parts = [
    leadTimeMinutes ? productTexts.minutesBefore(leadTimeMinutes) : null,
    followUpTimeMinutes ? productTexts.minutesAfter(followUpTimeMinutes) : null,
  ]
  return parts.filter(part => part !== null).join(', ')
}

/** A Resource that names no Product offers all of them. */
function offeredBy({ reference }: Product, resources: Resource[]): string {
  const open = resources.filter(one => !one.archived)
  const own = open.filter(one => one.products.length === 0 || one.products.includes(reference))
  if (own.length === open.length && open.length > 1) return productTexts.allResources
  return own.map(one => one.internalName).join(', ') || productTexts.noResources
}
