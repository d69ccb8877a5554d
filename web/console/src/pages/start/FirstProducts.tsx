import { flushSync } from 'preact/compat'
import { useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { useUnsaved } from '../../ui/editing/unsaved.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { NameField, NumberField, TextField } from '../../ui/fields/Field.tsx'
import { Next } from './forms.tsx'
import { texts } from './words.ts'

type Service = { name: string; minutes: number | null; price: string; isMade?: boolean }

const blank: Service = { name: '', minutes: 30, price: '' }
/** “Price 2 (optional)” */
const numbered = (label: string, index: number) =>
  index === 0 ? label : label.replace(/(?= \(|$)/, ` ${index + 1}`)

const isBlank = ({ name, price }: Service) => name.trim() === '' && price.trim() === ''

/** What customers can book, with durations and prices. */
export function FirstProducts({ onBegin, onDone }: { onBegin: () => void; onDone: () => Promise<void> }) {
  const provider = useProvider()
  const [services, setServices] = useState([blank])
  // The service whose entry was refused.
  const [stuck, setStuck] = useState(0)
  const { busy, run, errorAt } = useSubmit()
  const list = useRef<HTMLDivElement>(null)
  const settle = useUnsaved(services.length > 1 && services.some(one => !isBlank(one) && !one.isMade))
  const put = (index: number, part: Partial<Service>) =>
    setServices(before => before.map((one, at) => (at === index ? { ...one, ...part } : one)))
  const focusName = (index: number) =>
    list.current!.querySelectorAll<HTMLElement>('.first-service')[index]?.querySelector('input')?.focus()
  const add = () => {
    flushSync(() => setServices([...services, blank]))
    focusName(services.length)
  }
  const remove = (index: number) => {
    flushSync(() => setServices(services.filter((_, at) => at !== index)))
    focusName(index - 1)
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    onBegin()
    const isDone = await run(async () => {
      for (const [index, service] of services.entries()) {
        if (service.isMade || (index > 0 && isBlank(service))) continue
        setStuck(index)
        const { name, minutes, price } = service
        const body = { name, minDuration: minutes, maxDuration: minutes, priceText: price.trim() || null }
        await api.post(`/providers/${provider.uuid}/products`, body)
        put(index, { isMade: true })
      }
      return true
    })
    if (!isDone) return
    settle()
    await onDone()
  }
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <div ref={list} class="stack">
        {services.map((service, index) => {
          const problemAt = (field: string) => (index === stuck ? errorAt(field) : null)
          const isMade = service.isMade ?? false
          return (
            <div key={index} class="first-service">
              <NameField
                label={numbered(common.name, index)}
                {...(index === 0 ? { hint: texts.productNameHint } : {})}
                value={service.name}
                disabled={isMade}
                onInput={name => put(index, { name })}
                error={problemAt('name')}
              />
              <NumberField
                label={numbered(common.durationMinutes, index)}
                min={5}
                step={5}
                value={service.minutes}
                disabled={isMade}
                onInput={minutes => put(index, { minutes })}
                error={problemAt('minDuration')}
              />
              <TextField
                label={numbered(texts.price, index)}
                {...(index === 0 ? { hint: texts.priceHint } : {})}
                value={service.price}
                disabled={isMade}
                onInput={price => put(index, { price })}
                error={problemAt('priceText')}
              />
              {index > 0 && !isMade && (
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
      <Next busy={busy} />
    </form>
  )
}

const shortestSlot = 5

/** The longest slots, in minutes, of which every service takes a whole number. */
export const slotLengthFor = (durations: (number | null)[]): number =>
  Math.max(shortestSlot, durations.filter(one => one !== null).reduce(commonDivisor, 0) || 30)

const commonDivisor = (one: number, other: number): number =>
  other === 0 ? one : commonDivisor(other, one % other)
