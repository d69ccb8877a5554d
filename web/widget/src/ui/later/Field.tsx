import type { FieldName } from '#shared/fields.ts'
import { limits, shownPlace, useUi } from './kit.ts'

type Props = {
  name: FieldName
  type?: 'text' | 'email' | 'tel'
  autocomplete: 'given-name' | 'family-name' | 'email' | 'tel' | 'off'
  inputMode?: 'email' | 'tel'
}

/** A label, an input, and its error right below. */
export function Field({ name, type = 'text', autocomplete, inputMode }: Props) {
  const { state, texts, flow } = useUi()
  const error = state.errors[name]
  const isOptional =
    name === 'message' || (name === 'mobile' && shownPlace(state)!.channel.phoneField !== 'REQUIRED')
  const isMessage = name === 'message'
  const value = state.fields[name]
  const isNearLimit = isMessage && value.length > limits.message * 0.8
  const described = [error && `${name}-error`, isNearLimit && `${name}-count`].filter(Boolean).join(' ')
  const shared = {
    id: name,
    name,
    value,
    autocomplete,
    maxLength: limits[name],
    'aria-required': !isOptional,
    'aria-invalid': Boolean(error),
    'aria-describedby': described || undefined,
    onBlur: () => flow.leave(name),
    onInput: (event: Event) => flow.type(name, (event.currentTarget as HTMLInputElement).value),
  }
  return (
    <div class={isMessage ? 'field wide' : 'field'} part="field">
      <label for={name}>
        {texts[name]}
        {isOptional && <span class="soft"> ({texts.optional})</span>}
      </label>
      {isMessage ? (
        <textarea rows={2} {...shared} />
      ) : (
        <input type={type as 'email'} inputMode={inputMode} {...shared} />
      )}
      {/* There from the start, so that nothing moves when it says something. */}
      <div class="said">
        {error && (
          <p class="error" id={`${name}-error`}>
            {texts[error]}
          </p>
        )}
        {name === 'email' && state.meant && (
          <p role="status">
            {texts.didYouMean}{' '}
            <span class="asked">
              <button type="button" class="link" onClick={() => flow.type('email', state.meant!)}>
                {state.meant}
              </button>
              {/* With the narrow space that French puts before it. */}
              {texts.colon.length > 1 && '\u202f'}?
            </span>
          </p>
        )}
        {isNearLimit && (
          <p class="counter soft" id={`${name}-count`}>
            <bdi>{texts.counter(value.length, limits.message)}</bdi>
          </p>
        )}
      </div>
    </div>
  )
}
