import { duration } from '#shared/format.ts'
import { manyProducts } from '#shared/list-answer.ts'
import { useStepFocus, useUi } from './context.ts'
import { Picture } from './Picture.tsx'
import { Problem } from './Problem.tsx'
import { useEffect, useRef } from './render.ts'

export function Products() {
  const { state, texts, flow } = useUi()
  const heading = useStepFocus<HTMLHeadingElement>()
  const search = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = search.current
    if (box) import('../rare.ts').then(one => one.addSearch(box)).catch(() => {})
  }, [])
  return (
    <div class="main" part="products">
      <h3 ref={heading} tabIndex={-1}>
        {texts.chooseProduct}
      </h3>
      <Problem />
      {state.products.length >= manyProducts && <div class="search" ref={search} />}
      <ul class="products">
        {state.products.map(product => (
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
