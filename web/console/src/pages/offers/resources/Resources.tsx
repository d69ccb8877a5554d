import { Link, useParams } from 'wouter-preact'
import { common } from '../../../common-words.ts'
import { useGo } from '../../../navigation.ts'
import type { ListedResource, Product } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { shell } from '../../../shell-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { ExportList } from '../../../ui/ExportButton.tsx'
import { Empty, Pending } from '../../../ui/Page.tsx'
import { useListFilter } from '../../../ui/use-filters.tsx'
import { OffersPage } from '../OffersPage.tsx'
import { useProducts, useResources } from '../offers.ts'
import { Pictured } from '../Pictured.tsx'
import { texts } from '../words.ts'
import { NewResource, ResourcePanel } from './ResourcePanel.tsx'
import { resourceTexts } from './resource-words.ts'

/** People, rooms and equipment that can be booked. */
export default function Resources() {
  const { uuid } = useParams<{ uuid?: string }>()
  const go = useGo()
  const loaded = useResources()
  const products = useProducts().data?.products ?? []
  const close = () => go('/offers')
  const done = () => {
    void loaded.reload()
    close()
  }
  const add = (
    <Button kind="main" onClick={() => go('/offers/resources/new')}>
      {resourceTexts.addResource}
    </Button>
  )
  const resources = loaded.data?.resources
  return (
    <OffersPage action={resources?.length !== 0 && add}>
      <Pending of={loaded} />
      {resources?.length === 0 && <Empty action={add}>{resourceTexts.noResources}</Empty>}
      {resources && resources.length > 0 && <List resources={resources} products={products} />}
      {uuid === 'new' && <NewResource onClose={close} onDone={done} />}
      {uuid && uuid !== 'new' && <ResourcePanel key={uuid} uuid={uuid} onClose={close} onDone={done} />}
    </OffersPage>
  )
}

function List({ resources, products }: { resources: ListedResource[]; products: Product[] }) {
  const nameOf = (reference: string) => products.find(one => one.reference === reference)?.name ?? reference
  const sorted = [...resources].sort((one, other) => Number(one.archived) - Number(other.archived))
  const { uuid } = useProvider()
  const { box, found } = useListFilter(
    `resources-${uuid}`,
    sorted,
    one => `${one.internalName} ${one.publicName} ${one.reference}`,
  )
  return (
    <>
      {box}
      <div class="row">
        <ExportList
          file={texts.resources}
          heads={[common.name, shell.offers]}
          cells={(one: ListedResource) => [
            one.internalName,
            one.products.map(nameOf).join(', ') || resourceTexts.allProducts,
          ]}
          rows={found}
        />
      </div>
      {found.length > 0 && <Table resources={found} nameOf={nameOf} />}
    </>
  )
}

function Table({ resources, nameOf }: { resources: ListedResource[]; nameOf: (product: string) => string }) {
  return (
    <div class="table-frame">
      <table class="table cards">
        <thead>
          <tr>
            <th>{common.name}</th>
            <th>{shell.offers}</th>
            <th>{common.state}</th>
            <th>{common.more}</th>
          </tr>
        </thead>
        <tbody>
          {resources.map(one => (
            <tr key={one.uuid}>
              <th scope="row">
                <Pictured url={one.imageUrl} name={one.internalName}>
                  <Link href={`/offers/resources/${one.uuid}`}>{one.internalName}</Link>
                  {one.publicName !== one.internalName && <div class="soft">{one.publicName}</div>}
                </Pictured>
              </th>
              <td>{one.products.map(nameOf).join(', ') || resourceTexts.allProducts}</td>
              <td>
                <State resource={one} />
              </td>
              <td class="nowrap">
                <Link href={`/offers/resources/${one.uuid}/hours`}>
                  {texts.hours}
                  <span class="visually-hidden">: {one.internalName}</span>
                </Link>
                {' · '}
                <Link href={`/channels/${one.uuid}/RESOURCE_PUBLIC`}>
                  {shell.channels}
                  <span class="visually-hidden">: {one.internalName}</span>
                </Link>
                {' · '}
                <a href={`/book/${one.uuid}`} target="_blank" rel="noreferrer">
                  {texts.bookingPage}&nbsp;↗<span class="visually-hidden">: {one.internalName}</span>
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Without hours a Resource cannot be booked, whatever its other settings are. */
function State({ resource: { archived, hasTimes } }: { resource: ListedResource }) {
  if (archived) return <Chip tone="off">{resourceTexts.archived}</Chip>
  return hasTimes ? (
    <span class="soft">{resourceTexts.active}</span>
  ) : (
    <Chip tone="wait">{resourceTexts.noHours}</Chip>
  )
}
