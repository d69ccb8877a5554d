import { elsewhere, whereLines } from '#shared/confirmation.ts'
import { draw } from './draw.ts'
import { duration, isTooLate, shownPlace, useUi } from './kit.ts'

/**
 * Above the button: who receives the details, until when the booking can be cancelled, whom to call, and the
 * terms.
 */
export function Trust() {
  const { state, texts, flow } = useUi()
  const { provider, contact, channel } = shownPlace(state)!
  const notice = channel.changeNoticeMinutes
  const isLate = isTooLate(state, state.slot!, flow.now())
  const number = contact.phone ?? contact.mobile ?? provider.phone
  return (
    <div class="trust" part="trust">
      <p class="soft">
        {texts.dataGoesTo(provider.name)}{' '}
        {provider.privacyUrl && (
          <>
            <a href={provider.privacyUrl} {...elsewhere}>
              {texts.privacy}
            </a>
            {'. '}
          </>
        )}
        {isLate ? texts.noChange : texts.changeUntil(notice ? duration(notice, texts) : '')}{' '}
        {number && (
          <>
            {texts.contact}
            {texts.colon} {whereLines(draw, number, { ...texts, showOnMap: false })}
          </>
        )}
      </p>
      {provider.terms && (
        <details>
          <summary>{texts.terms}</summary>
          <p class="description">{provider.terms}</p>
        </details>
      )}
      {(provider.termsRequired || state.mustAgree || state.agreed) && (
        <label class="agree">
          <input
            type="checkbox"
            name="agreed"
            checked={state.agreed}
            aria-invalid={state.mustAgree}
            onChange={event => flow.agree(event.currentTarget.checked)}
          />{' '}
          {texts.acceptTerms}
        </label>
      )}
      {state.mustAgree && <p class="error">{texts.mustAccept}</p>}
    </div>
  )
}
