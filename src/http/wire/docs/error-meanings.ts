import { type ErrorCode, errorCodes } from '../../../error-texts.ts'
import { statusOf } from '../errors.ts'

type Meaning = { meaning: string; remedy: string }

const retryWithKey =
  'Wait as long as `Retry-After` says, then send the same request with the same `Idempotency-Key`.'

/** What each error code means and what to do: for the API document and the page of error codes. */
export const errorMeanings: Record<ErrorCode, Meaning> = {
  'missing-field': {
    meaning: 'A required field is missing, null, empty or blank.',
    remedy: 'Send the field named in `field`.',
  },
  'missing-answer': {
    meaning: 'A required question of the booking form has no valid answer.',
    remedy: 'Show `message` beside the question named in `field`, and send the answer.',
  },
  'invalid-field': {
    meaning: 'A field or parameter has a value that is not accepted.',
    remedy: 'Correct the input named in `field`. `rule` and `limit` say which rule it breaks.',
  },
  'invalid-json': {
    meaning: 'The body is not valid JSON.',
    remedy: 'Serialise the body with a JSON library, in UTF-8.',
  },
  'duplicate-reference': {
    meaning:
      'A record with this reference exists, and `onDuplicateRaise=true` was sent; or the reference occurs twice in one batch.',
    remedy:
      'Use another reference, leave out `onDuplicateRaise` to update the record, or send each record once.',
  },
  'missing-key': {
    meaning: 'The request has no API key.',
    remedy: 'Send the key in the header `X-SERVICE-CLIENT-ID`.',
  },
  'invalid-key': {
    meaning: 'The API key is unknown, revoked or expired.',
    remedy: 'Ask the operator for a new key. Do not retry with the same one.',
  },
  'login-required': {
    meaning: 'The request has no valid console session or token.',
    remedy: 'Log in, or send a token as `Authorization: Bearer`.',
  },
  'login-failed': {
    meaning: 'Email, password or code is wrong.',
    remedy: 'Let the person try again, or send a login link.',
  },
  'code-required': {
    meaning: 'The login has a second factor.',
    remedy: 'Ask for the code of the authenticator app and send it as `code`.',
  },
  'wrong-crm': {
    meaning: 'The API key belongs to another CRM than the one in the path.',
    remedy: 'Use the name of the key’s own CRM in the path.',
  },
  scope: {
    meaning: 'The key or login may not do this.',
    remedy: 'Ask the operator for a key with the scope that the message names.',
  },
  'not-found': {
    meaning: 'There is no such record or path, or it belongs to another CRM.',
    remedy: 'Check the reference and its URL encoding. Treat it as deleted if it existed before.',
  },
  'unknown-branch': {
    meaning: 'The branch is not one of the accepted ones.',
    remedy: 'Send one of the branches that the message lists.',
  },
  'invalid-reference': {
    meaning: 'The reference of the Account has another form than uniqueId@platformName.',
    remedy: 'Add `@` and the name of your platform to the reference.',
  },
  'invalid-token': {
    meaning: 'The token of a link is invalid, was used or has expired.',
    remedy: 'Open the link in the latest email, or request the links again with `POST /bookings/links`.',
  },
  'method-not-allowed': {
    meaning: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  'cursor-expired': {
    meaning: 'Events after this cursor have been deleted, or this log has not issued it.',
    remedy: 'Read the log again without `after`, and reload the records that you keep.',
  },
  moved: {
    meaning: 'The CRM is served by another installation now.',
    remedy: 'Send requests to the address in `Location`.',
  },
  'email-exists': {
    meaning: 'Another User has this email address.',
    remedy: 'Use another address.',
  },
  'username-exists': {
    meaning: 'Another User has this username.',
    remedy: 'Use another username.',
  },
  'reference-exists': {
    meaning: 'Another record uses this reference with different data.',
    remedy: 'Use another reference, or update the existing record.',
  },
  'address-taken': {
    meaning: 'Another business or Resource uses this address, or it is reserved.',
    remedy: 'Choose another `slug`.',
  },
  owner: {
    meaning: 'The owner of a business, or the last operator, cannot be removed or changed like this.',
    remedy: 'Make someone else the owner or operator first.',
  },
  'future-appointments': {
    meaning: 'The record has future Appointments.',
    remedy: 'Cancel them first, or send `ignoreFutureAppointments=true`.',
  },
  'only-product': {
    meaning: 'A Resource would be left without a Product.',
    remedy: 'Link another Product to the Resource, or delete the Resource.',
  },
  'in-use': {
    meaning: 'Other records depend on this one; the message names them.',
    remedy: 'Change or delete those first.',
  },
  'question-in-use': {
    meaning: 'Another question is shown depending on this one.',
    remedy: 'Change the other question first.',
  },
  'merge-conflict': {
    meaning: 'The two Customers have something that one Customer cannot have twice; `field` says what.',
    remedy: 'Cancel one of the two places, or remove one of the two entries of the waiting list.',
  },
  'same-person': {
    meaning: 'A Customer from online booking has this email; `reference` names it.',
    remedy: 'Send `adopt=true` to give that Customer your reference, or use another email.',
  },
  'customer-merged': {
    meaning: 'The Customer was merged into another one.',
    remedy: 'Use the `reference` that the error names.',
  },
  'undo-expired': {
    meaning: 'The merge can no longer be undone.',
    remedy: 'Create a Customer, and move the bookings by hand.',
  },
  'active-appointment': {
    meaning: 'An active Appointment prevents the change.',
    remedy: 'Cancel or move the Appointment first.',
  },
  'capacity-exceeded': {
    meaning: 'All places of the Appointment are taken.',
    remedy: 'Choose another Appointment, or send `ignoreCapacity=true`.',
  },
  conflict: {
    meaning: 'The change conflicts with another booking, closure or block.',
    remedy: 'Choose another time, or send `ignoreConflicts=true`.',
  },
  'transition-not-allowed': {
    meaning: 'A Participation in this state cannot change to the state that was sent.',
    remedy: 'Read the Participation again. Create a new one if it has ended.',
  },
  'appointment-cancelled': {
    meaning: 'The Appointment is cancelled.',
    remedy: 'Create a new Appointment with another reference.',
  },
  'already-participates': {
    meaning: 'The Customer already takes part in this Appointment.',
    remedy: 'Update the existing Participation.',
  },
  'import-state': {
    meaning: 'The import is in a state in which this is not possible: it still runs, or is done.',
    remedy: 'Read the import again, and wait until `state` allows the next step.',
  },
  'in-progress': {
    meaning: 'A request with the same `Idempotency-Key` is still running.',
    remedy: 'Send the same request again after `Retry-After` seconds to get its answer.',
  },
  changed: {
    meaning: 'The record has changed since it was read.',
    remedy: 'Read it again, apply your change to the new version and send it.',
  },
  'precondition-failed': {
    meaning: 'The record does not match `If-Match`: it has changed since it was read.',
    remedy: 'Read it again, apply your change to the new version and send it with the new `ETag`.',
  },
  'idempotency-mismatch': {
    meaning: 'The `Idempotency-Key` was used for a different request.',
    remedy: 'Use a new key for every new request, and the same key only to repeat one.',
  },
  'channel-hidden': {
    meaning:
      'The provider has closed this booking channel, or its waiting list. Rule `no-email`: joining is confirmed by email, and no mail server is set up.',
    remedy: 'Tell the visitor that online booking, or the waiting list, is closed.',
  },
  'not-invited': {
    meaning: 'The channel is for the provider’s Customers only, and this email address is not one of theirs.',
    remedy: 'Ask for the email address that the provider knows.',
  },
  'change-notice': {
    meaning: 'It is too late to cancel or reschedule online.',
    remedy: 'Show the contact in `message`.',
  },
  '201': {
    meaning: 'The slot, or its last place, is not available any more.',
    remedy: 'List the available times again and let the visitor choose another one.',
  },
  '202': {
    meaning: 'This person already has a place in this Appointment, or the hold was used for another booking.',
    remedy: 'Do not book again. Offer to send the links of the booking with `POST /bookings/links`.',
  },
  'too-large': {
    meaning: 'The body is larger than 1 MiB, or 8 MiB for batches.',
    remedy: 'Send the batch in parts.',
  },
  'media-type': {
    meaning: 'The body is not declared as JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  'too-many-requests': {
    meaning: 'A limit was reached: requests per minute, holds at the same time, or waiting log readers.',
    remedy: 'Wait as long as `Retry-After` says.',
  },
  internal: {
    meaning: 'Something unexpected went wrong. The operator finds it in the log by its `X-Request-Id`.',
    remedy: 'Retry once. If it happens again, send the request id to the operator.',
  },
  unavailable: {
    meaning: 'The database is unavailable, or more requests arrive than can be processed.',
    remedy: retryWithKey,
  },
  suspended: {
    meaning: 'The operator has paused this CRM. Nothing was changed.',
    remedy: retryWithKey,
  },
}

/** For tools that show values of an enum one by one. */
export const errorDescriptions = () =>
  errorCodes.map(code => `${errorMeanings[code].meaning} ${errorMeanings[code].remedy}`)

/** A Markdown table of all codes, by status. */
export function errorTable(): string {
  const rows = errorCodes
    .toSorted((one, other) => statusOf[one] - statusOf[other])
    .map(
      code =>
        `| ${statusOf[code]} | \`${code}\` | ${errorMeanings[code].meaning} | ${errorMeanings[code].remedy} |`,
    )
  return ['| Status | errorCode | Meaning | What to do |', '|---|---|---|---|', ...rows].join('\n')
}

/** The same as text, for readers of the enum. */
export const errorList = () =>
  errorCodes.map((code, index) => `\n- \`${code}\`: ${errorDescriptions()[index]}`).join('')
