import { flushSync } from 'preact/compat'
import { useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Product } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { useKeptInput } from '../../ui/editing/kept-input.ts'
import { renewedRows } from '../../ui/editing/kept-rows.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { NameField, NumberField, TextField } from '../../ui/fields/Field.tsx'
import { StepForm } from './StepForm.tsx'
import { texts } from './words.ts'

type Content = { name: string; minutes: number | null; price: string }
type Service = Content & { uuid?: string; saved?: Content }

const blank: Service = { name: '', minutes: 30, price: '' }

function serviceOf({ uuid, name, minDuration, priceText }: Product): Service {
  const saved = { name, minutes: minDuration, price: priceText ?? '' }
  return { uuid, saved, ...saved }
}
/** “Price 2 (optional)” */
const numbered = (label: string, index: number) =>
  index === 0 ? label : label.replace(/(?= \(|$)/, ` ${index + 1}`)

/** A row without any input. One that is saved misses its name. */
const isBlank = ({ uuid, name, price }: Service) => !uuid && name.trim() === '' && price.trim() === ''

type Props = { products: Product[]; keptAs: string; onDone: () => Promise<void> }

/** What customers can book, with durations and prices. */
export function FirstProducts({ products, keptAs, onDone }: Props) {
  const provider = useProvider()
  const known = products.length > 0 ? products.map(serviceOf) : [blank]
  const [services, setServices, forget] = useKeptInput(keptAs, known, kept => renewedRows(kept, known))
  // The service whose entry was refused.
  const [stuck, setStuck] = useState(0)
  const { run, errorAt } = useSubmit()
  const list = useRef<HTMLDivElement>(null)
  const put = (index: number, part: Partial<Service>) =>
    setServices(before => before.map((one, at) => (at === index ? { ...one, ...part } : one)))
  const focusName = (index: number) =>
    list.current!.querySelectorAll<HTMLElement>('.first-service')[index]?.querySelector('input')?.focus()
  const add = () => {
    flushSync(() => setServices(before => [...before, blank]))
    focusName(services.length)
  }
  const remove = (index: number) => {
    flushSync(() => setServices(before => before.filter((_, at) => at !== index)))
    focusName(index - 1)
  }
  const submit = async () => {
    const isDone = await run(async () => {
      for (const [index, service] of services.entries()) {
        if (index > 0 && isBlank(service)) continue
        setStuck(index)
        const uuid = await save(provider.uuid, service)
        const { name, minutes, price } = service
        put(index, { uuid, saved: { name, minutes, price } })
      }
      return true
    })
    if (!isDone) return
    forget()
    await onDone()
  }
  return (
    <StepForm onSubmit={submit}>
      <div ref={list} class="stack">
        {services.map((service, index) => {
          const problemAt = (field: string) => (index === stuck ? errorAt(field) : null)
          return (
            <div key={index} class="first-service">
              <NameField
                label={numbered(common.name, index)}
                {...(index === 0 ? { hint: texts.productNameHint } : {})}
                value={service.name}
                onInput={name => put(index, { name })}
                error={problemAt('name')}
              />
              <NumberField
                label={numbered(common.durationMinutes, index)}
                min={5}
                step={5}
                value={service.minutes}
                onInput={minutes => put(index, { minutes })}
                error={problemAt('minDuration')}
              />
              <TextField
                label={numbered(texts.price, index)}
                {...(index === 0 ? { hint: texts.priceHint } : {})}
                value={service.price}
                onInput={price => put(index, { price })}
                error={problemAt('priceText')}
              />
              {index > 0 && !service.uuid && (
                <Button
                  kind="quiet"
                  label={`${common.remove}: ${service.name || index + 1}`}
                  onClick={() => remove(index)}
                >
                  ✕
                </Button>
              )}
            </div>
          )
        })}
      </div>
      <div>
        <Button onClick={add}>{texts.addService}</Button>
      </div>
    </StepForm>
  )
}

/** Sends what has changed, so that settings made elsewhere stay. */
async function save(provider: string, { uuid, saved, name, minutes, price }: Service): Promise<string> {
  const body = {
    ...(name !== saved?.name && { name }),
    ...(minutes !== saved?.minutes && { minDuration: minutes, maxDuration: minutes }),
    ...(price.trim() !== saved?.price && { priceText: price.trim() || null }),
  }
  if (!uuid) return (await api.post(`/providers/${provider}/products`, { name, ...body })).uuid
  if (Object.keys(body).length > 0) await api.patch(`/products/${uuid}`, body)
  return uuid
}
