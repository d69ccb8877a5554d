import { Link, useLocation, useParams } from 'wouter-preact'
import type { Product } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Skeleton, Trouble } from '../../ui/Page.tsx'
import { OffersPage } from './OffersPage.tsx'
import { useProducts } from './offers.ts'
import { NewProduct, ProductPanel } from './ProductPanel.tsx'
import { texts } from './words.ts'

/** What can be booked, how long it takes, and the minutes around it. */
export default function Products() {
  const { uuid } = useParams<{ uuid?: string }>()
  const [, go] = useLocation()
  const loaded = useProducts()
  const close = () => go('/offers/products')
  const done = () => {
    void loaded.reload()
    close()
  }
  const add = <Button onClick={() => go('/offers/products/new')}>{texts.addProduct}</Button>
  const products = loaded.data?.products
  return (
    <OffersPage action={add}>
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton />}
      {products?.length === 0 && <Empty action={add}>{texts.noProducts}</Empty>}
      {products && products.length > 0 && <List products={products} />}
      {uuid === 'new' && <NewProduct onClose={close} onDone={done} />}
      {uuid && uuid !== 'new' && <ProductPanel key={uuid} uuid={uuid} onClose={close} onDone={done} />}
    </OffersPage>
  )
}

const List = ({ products }: { products: Product[] }) => (
  <div class="table-frame">
    <table class="table cards">
      <thead>
        <tr>
          <th>{texts.name}</th>
          <th>{texts.duration}</th>
          <th>{texts.buffers}</th>
        </tr>
      </thead>
      <tbody>
        {products.map(one => (
          <tr key={one.uuid}>
            <th scope="row">
              <Link href={`/offers/products/${one.uuid}`}>{one.name}</Link>
            </th>
            <td class="figures">{durationOf(one)}</td>
            <td class="figures">{buffersOf(one)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function durationOf({ minDuration, maxDuration }: Product): string {
  if (minDuration === null && maxDuration === null) return texts.asRaster
  if (minDuration === maxDuration) return texts.inMinutes(minDuration!)
  return `${minDuration ?? '…'} – ${texts.inMinutes(maxDuration ?? '…')}`
}

function buffersOf({ leadTimeMinutes, followUpTimeMinutes }: Product): string {
  const parts = [
    leadTimeMinutes ? texts.before(leadTimeMinutes) : null,
    followUpTimeMinutes ? texts.after(followUpTimeMinutes) : null,
  ]
  return parts.filter(part => part !== null).join(', ') || '–'
}
