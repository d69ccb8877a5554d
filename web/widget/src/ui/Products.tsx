import { duration } from '#shared/format.ts'
import { useStepFocus, useUi } from './context.ts'
import { Picture } from './Picture.tsx'
import { Problem } from './Problem.tsx'

export function Products() {
  const { state, texts, flow } = useUi()
  const heading = useStepFocus<HTMLHeadingElement>()
  return (
    <div class="main" part="products">
      <h3 ref={heading} tabIndex={-1}>
        {texts.chooseProduct}
      </h3>
      <Problem />
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
