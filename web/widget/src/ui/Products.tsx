import type { Product } from '#shared/api-types.ts'
import { duration } from '#shared/format.ts'
import { manyProducts } from '#shared/list-answer.ts'
import { plain } from '#shared/plain.ts'
import type { Flow } from '../flow.ts'
import { useStepFocus, useUi } from './context.ts'
import { Picture } from './Picture.tsx'
import { Problem } from './Problem.tsx'
import { useState } from './render.ts'

/** Still there for visitors who come back from the times. */
const searches = new WeakMap<Flow, string>()

const isFound = ({ name, description }: Product, typed: string) =>
  plain(typed)
    .split(' ')
    .every(word => plain(`${name} ${description}`).includes(word))

export function Products() {
  const { state, texts, flow } = useUi()
  const heading = useStepFocus<HTMLHeadingElement>()
  const [typed, setTyped] = useState(searches.get(flow) ?? '')
  const found = state.products.filter(one => isFound(one, typed))
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    searches.set(flow, currentTarget.value)
    setTyped(currentTarget.value)
  }
  return (
    <div class="main" part="products">
      <h3 ref={heading} tabIndex={-1}>
        {texts.chooseProduct}
      </h3>
      <Problem />
      {state.products.length >= manyProducts && (
        <input
          type="search"
          part="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={typed}
          onInput={onInput}
        />
      )}
      <p role="status" class={found[0] ? 'unseen' : 'soft'}>
        {!found[0] && texts.noResults}
      </p>
      <ul class="products">
        {found.map(product => (
          <li key={product.uuid}>
            <button
              type="button"
              class="choice"
              part="product"
              onClick={() => flow.chooseProduct(product.uuid)}
            >
              <Picture src={product.imageUrl} name={product.name} />
              <strong>{product.name}</strong>
              {product.minDuration && <span class="pill"> {duration(product.minDuration, texts)}</span>}
              {product.priceText && <span class="price">{product.priceText}</span>}
              {product.description && <span class="soft line">{product.description}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
