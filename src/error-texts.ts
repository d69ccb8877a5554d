import type { Language } from './languages.ts'
import type { Asked, Problem } from './rules/questions/questions.ts'
import { leadOf, problemText } from './rules/questions/words.ts'
import { crmNameRule } from './rules/references.ts'
import { toUtcText } from './rules/time/civil.ts'

// The English sentence of every error, by code and rule. Only the edges (HTTP, agents, command line) render
// it; everything else throws a Refusal with the parameters of its sentence, which the compiler checks.
//
// Clients get the rule too, up to a colon: what follows it only picks the sentence.

type Field = { field: string }
type Limit = { limit: number }
type Key = { key: string }
type Reference = { reference: string }
type Choices = { choices: readonly string[] }

export const conflictKinds = [
  'overlap',
  'closed',
  'busy',
  'full',
  'not-open',
  'past',
  'customer-booked',
] as const

/** What is in the way of a booking by staff. */
export type Conflict = {
  kind: (typeof conflictKinds)[number]
  /** The Appointment in the way. */
  reference?: string
  /** Names of people, or the reason of a closure. */
  what: string | null
  start: number | null
  end: number | null
  /** The number of places. */
  limit?: number
}

const period = ({ reference, start, end }: Conflict) =>
  `${reference} from ${toUtcText(start!)} to ${toUtcText(end!)}`

const conflictTexts: Record<Conflict['kind'], (one: Conflict) => string> = {
  overlap: one => `It overlaps with ${period(one)}.`,
  closed: ({ what }) => `It is closed then: ${what}.`,
  busy: () => 'It is busy then in an external calendar.',
  full: ({ limit }) => `All ${limit} places are taken.`,
  'not-open': () => 'No Timeslot is open then.',
  past: () => 'It starts in the past.',
  'customer-booked': one => `The Customer is already booked in ${period(one)}.`,
}

export const conflictText = (one: Conflict): string => conflictTexts[one.kind](one)
const all = (conflicts: Conflict[]) => conflicts.map(conflictText).join(' ')
const anyway = 'To do it anyway, send ignoreConflicts=true.'

/** In the visitor's language. */
type WrongAnswer = { label: string; asked: Asked; problem: Problem; language: Language }
const answerText = ({ label, asked, problem, language }: WrongAnswer) =>
  `${leadOf(label)}${problemText(asked, problem, language)}`

/** Also for the logs of what is sent there. */
export const addressTexts = {
  'https-address': 'must begin with https://',
  'https-address:form': 'must be an address such as https://example.org/hooks',
  'address-login': 'must not contain a user name or password',
  'private-address': 'must not lead to a private address',
}
export type AddressRule = keyof typeof addressTexts
const address =
  (rule: AddressRule) =>
  ({ field }: Field) =>
    `${field} ${addressTexts[rule]}.`

const shortList = (names: string[]) =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')

const changed =
  'This has changed since you read it. Read it again, check what is new, and send your change again.'
const brokenText = 'contains a NUL character or an incomplete character'

// Keyed by the cause shown in the log and in /readyz.
const outages: Record<string, string> = {
  'commit waits for a synchronous standby':
    'Nothing can be saved right now: the database is waiting for its standby to confirm.',
  'no connection available': 'No connection to the database is available right now.',
  'all connections to the database are in use': 'No connection to the database is available right now.',
  'the database has too many connections': 'No connection to the database is available right now.',
  'a statement took too long': 'This took too long and was stopped.',
  'a lock was not available in time': 'Other requests are changing the same data right now.',
  'the database is read-only: a standby, or its disk is protected': 'Nothing can be saved right now.',
  'disk full': 'Nothing can be saved right now: the disk of the database is full.',
  'the disk of the database is full': 'Nothing can be saved right now: the disk of the database is full.',
}

export const errorTexts = {
  'missing-field': {
    '': ({ field }: Field) => `${field} is required and must not be empty.`,
    terms: 'The Provider’s terms must be accepted: send agbs with the value true.',
    body: 'A JSON body is required.',
    'body:object': 'The body must be a JSON object.',
    'one-of': ({ choices }: Choices) => `${choices.join(' or ')} is required.`,
    'one-of:rule': 'Send rule, or dates.',
    page: 'ref is required: ask the person for the address of the booking page.',
    label: 'label needs a text in one language.',
    options: 'options needs at least one option.',
    'current-password': 'Enter your current password, or log in with a link by email.',
    'password-again': 'Enter the password again: the address is on another server.',
    'address-again': 'Enter the address again: the stored one cannot be read.',
    'place-name': 'Each place needs a name.',
    'customer-email': 'The Customer needs an email address: offers are sent to it.',
    duration: 'duration is required, because the Product has none.',
    dates: 'A series needs at least one date.',
    'move-resource': 'A move needs a Resource.',
  },
  'missing-answer': answerText,
  'invalid-field': {
    // What the schema of the request says.
    ':schema': ({ field, must }: Field & { must: string }) => `${field} ${must}.`,
    ':pattern': ({ field }: Field) => `${field} is not valid.`,
    ':answer': answerText,
    'unknown-field': ({ field }: Field) =>
      `${field} is not a field of this request. See /docs for the valid fields.`,
    'unknown-field:strict': ({ field }: Field) =>
      `${field} is unknown here, and the request asks for strict handling. Check its spelling and place.`,
    'unreadable-text': ({ field }: Field) => `${field} ${brokenText}.`,
    'unreadable-text:body': `The body ${brokenText}.`,
    'unreadable-text:name': `A field name ${brokenText}.`,
    'unreadable-text:path': ({ field }: Field) => `${field} ${brokenText}, which no reference has.`,
    'malformed-path': 'The path is malformed: a percent sign must start a valid UTF-8 escape such as %2F.',
    'malformed-request': 'The request cannot be read: its method or headers are malformed.',
    'late-request': 'The request did not arrive in time. Please send it again.',
    boolean: ({ field }: Field) => `${field} must be true or false.`,
    number: ({ field }: Field) => `${field} must be a number.`,
    uuid: ({ field }: Field) => `${field} must be a uuid.`,
    'uuid:plain': 'It is not a uuid.',
    'uuid:holds': 'Send the uuids of the holds.',
    blank: ({ field }: Field) => `${field} must not be blank.`,
    'one-of': ({ field, choices }: Field & Choices) => `${field} must be one of ${choices.join(', ')}.`,
    'one-of:column': ({ field, choices }: Field & Choices) =>
      `${field} must be null or one of ${choices.join(', ')}.`,
    'one-of:nothing': ({ field }: Field) => `There is no ${field} to choose here. Leave it out.`,
    'not-both': 'Name a Resource or a User, not both.',
    'not-both:since': 'Send either since or after, not both.',
    'cursor:next': ({ field }: Field) => `${field} must be the \`next\` of another page.`,
    'cursor:link': ({ field }: Field) => `${field} must be taken from the Link header of the previous page.`,
    'cursor:page': ({ field }: Field) => `${field} must be taken from the previous page.`,
    maxItems: ({ field, limit }: Field & Limit) => `${field} must have at most ${limit} entries.`,
    'maxItems:names': ({ field, limit, count }: Field & Limit & { count: number }) =>
      `${field} names ${count} things. Ask for ${limit} at a time.`,
    'maxItems:lines': ({ limit }: Limit) =>
      `The file has more than ${limit} lines. Split it into several files.`,
    maxLength: ({ field, limit }: Field & Limit) => `${field} must not be longer than ${limit} characters.`,
    'max:bytes': ({ limit }: Limit) =>
      `This list would be longer than ${limit / 1_000_000} MB. Ask for a shorter period with from and to, for one Product with prdRef, for fewer Resources, or send products=ids.`,
    'max:megabytes': ({ limit }: Limit) =>
      `The file is larger than ${limit} MB. Split it into several files.`,
    'max:at-once': ({ limit }: Limit) => `At most ${limit} can be booked at once.`,
    'max:places': ({ limit }: Limit) => `There are ${limit} places.`,
    'max:no-series': 'This channel does not accept series.',
    'max:dates': ({ limit }: Limit) => `A series can have ${limit} dates here.`,
    'max:question': ({ limit, type }: Limit & { type: string }) =>
      `maxLength must be at most ${limit} for ${type}.`,

    // Times
    'date-time': ({ field }: Field) =>
      `${field} must be an ISO 8601 date-time such as 2026-03-04T10:00 or 2026-03-04T09:00:00Z.`,
    'date-time:clock': ({ field }: Field) => `${field} must be an ISO 8601 date-time.`,
    'date-time:local': ({ field }: Field) => `${field} must be a date-time such as 2027-03-04T08:00.`,
    'date-time:from': ({ field }: Field) =>
      `${field} must be an ISO 8601 date-time such as 2026-03-04T10:00.`,
    'date-time:to': ({ field }: Field) =>
      `${field} must be an ISO 8601 date-time such as 2026-03-04T18:00, after series_data.from.`,
    'date-or-time': ({ field }: Field) => `${field} must be a day such as 2027-03-04 or a date-time.`,
    'date-or-time:closure': ({ field }: Field) =>
      `${field} must be a day such as 2027-03-04 or a date-time such as 2027-03-04T08:00.`,
    'date-or-time:iso': ({ field }: Field) => `${field} must be a day or an ISO 8601 date-time.`,
    'date-or-time:list': ({ field }: Field) => `${field} must be a date or an ISO 8601 date-time.`,
    date: ({ field, example }: Field & { example: string }) => `${field} must be a date such as ${example}.`,
    'date:day': ({ field }: Field) => `${field} must be a day such as 2026-03-04.`,
    'date:calendar': ({ field }: Field) => `${field} must be a day of the calendar such as 2026-03-04.`,
    time: ({ field, example }: Field & { example: string }) =>
      `${field} must be a time of day such as ${example}.`,
    'time:midnight': ({ field }: Field) => `${field} must be before 24:00.`,
    'whole-number': ({ field }: Field) => `${field} must be a whole number.`,
    'time-zone': ({ field }: Field) => `${field} must be a time zone such as Europe/Berlin.`,
    'time-zone:iana': ({ field }: Field) => `${field} must be an IANA time zone such as Europe/Berlin.`,
    future: ({ field }: Field) => `${field} must be in the future.`,
    'future:period': 'The period is over.',
    'after-start': ({ field, start }: Field & { start: string }) => `${field} must be after ${start}.`,
    'after-start:day': ({ field, start }: Field & { start: string }) =>
      `${field} must be a day after ${start}.`,
    'after-start:closure': ({ field, start }: Field & { start: string }) =>
      `${field} must be after ${start}: it is the first moment, or the first day, that is open again.`,
    'after-start:line': 'end must be after start.',
    'not-before': ({ field, start }: Field & { start: string }) => `${field} must not be before ${start}.`,
    'whole-day': ({ field, start }: Field & { start: string }) =>
      `${field} must differ from ${start}. A whole day is 00:00 to 24:00.`,
    'max-days': ({ limit }: Limit) => `At most ${limit} days can be requested at once.`,
    'max-days:after': ({ field, limit }: Field & Limit) =>
      `${field} must be at most ${limit} days after from.`,
    'max-days:report': ({ limit }: Limit) => `A report covers at most ${limit} days.`,
    'max-days:period': ({ limit }: Limit) => `The period must not be longer than ${limit} days.`,
    'max-days:absence': ({ limit }: Limit) => `An absence can be planned for ${limit} days.`,
    'max-days:timeslot': ({ limit }: Limit) => `A Timeslot can last at most ${limit} days.`,
    'max-years': 'A closure can last at most three years.',
    'clock-range': 'The clock must stay between 2000 and 2200.',
    'clock-step': 'Advance by days, hours, minutes or seconds.',
    raster: ({ field }: Field) => `${field} must not be longer than the Timeslot.`,
    'raster:hours': ({ field, from, to }: Field & { from: string; to: string }) =>
      `${field} must not be longer than the time from ${from} to ${to}.`,
    'raster:series': ({ field }: Field) =>
      `${field} must be a whole number of minutes, not longer than the daily hours.`,
    'overlap:rules': ({
      field,
      own,
      other,
      before,
    }: Field & { own: string; other: string; before: number }) =>
      `${field} (${own}) overlaps rules[${before}] (${other}). Change the times, the weekdays or the days on which they are valid.`,
    'overlap:day': ({ day }: { day: string }) =>
      `Times on ${day} overlap each other or hours that run past midnight.`,
    'overlap:series': ({ earlier }: { earlier: number }) =>
      `It overlaps dates[${earlier}] of the same series.`,
    'week-of': ({ field, from }: Field & { from: string }) =>
      `${field} or ${from} must name one of the weeks.`,
    weekdays: 'No day of the series is one of these weekdays.',
    'weekdays:numbers': 'weekdays must be numbers from 1 to 7; 1 is Monday.',
    'weekdays:needed': ({ field }: Field) =>
      `${field} is needed when the series spans more than one day: texts from "1" (Monday) to "7" (Sunday).`,
    'series-format':
      'The first date must be an ISO 8601 date-time, `until` a day such as 2026-03-04, and weekdays are for weeks.',
    'series-end': 'A series needs a number of dates or a last day.',
    'series-none': 'No date falls into this period.',
    'series-none:channel': 'The rule gives no usable dates.',
    'series-instead': 'Send dates of the rule, and times at most three days away.',

    // How many there can be
    'max-count:series-dates': ({ limit }: Limit) => `A series can have ${limit} dates within five years.`,
    'max-count:slots': ({ limit }: Limit) =>
      `A Timeslot can have at most ${limit} slots: choose a longer raster or a shorter window.`,
    'max-count:participations': ({ limit }: Limit) =>
      `A series can have at most ${limit} Participations in all its Appointments together. Create it in parts.`,
    'max-count:appointments': ({ limit }: Limit) =>
      `A series can have at most ${limit} Appointments. Create it in parts.`,
    'max-count:webhooks': ({ limit }: Limit) => `A CRM can have at most ${limit} webhooks. Remove one first.`,
    'max-count:sources': ({ limit }: Limit) => `A Resource has at most ${limit} calendars. Remove one first.`,
    'max-count:feeds': ({ limit }: Limit) => `A Provider has at most ${limit} calendars. Revoke one first.`,
    'max-count:questions': ({ limit }: Limit) => `A Provider can have at most ${limit} questions.`,
    'max-count:marks': ({ limit }: Limit) =>
      `A text can have at most ${limit} of the characters * _ ~ < > [ and \`.`,
    'max-count:form': ({ limit }: Limit) => `A Product can ask at most ${limit} questions.`,

    // Names of other things
    'known-name': ({ field }: Field) => `${field} is not known.`,
    'known-name:question': ({ key }: Key) => `There is no question ${key}.`,
    'known-name:form': ({ key }: Key) => `There is no question ${key} on this form.`,
    'known-name:other': ({ key }: Key) => `There is no other question ${key}.`,
    'known-name:subject': ({ key }: Key) => `There is no question ${key} whose subject is customer.`,
    'known-name:product': ({ uuid }: { uuid: string }) => `There is no Product with the uuid ${uuid}.`,
    'known-name:resource': ({ uuid }: { uuid: string }) =>
      `The Provider has no Resource with the uuid ${uuid}.`,
    'known-name:provider': ({ name }: { name: string }) =>
      `There is no Provider "${name}". Name its reference.`,
    'known-name:event': ({ name, choices }: { name: string } & Choices) =>
      `"${name}" is not an event kind. Choose from ${choices.join(', ')}.`,
    'known-name:placeholder': ({ name, choices }: { name: string } & Choices) =>
      `{${name}} is not a placeholder. Use ${choices.join(', ')}.`,
    'duplicate:list': 'It is already in the list.',
    'duplicate:resource': ({ at }: { at: string }) => `${at} names a Resource that is already in the list.`,
    'duplicate:option': ({ key }: Key) => `The option ${key} is listed twice.`,
    'duplicate:keys': 'A question is named twice.',
    'duplicate:questions': 'A question is listed twice.',
    'duplicate:channel': ({ type }: { type: string }) => `There can be only one channel of the type ${type}.`,
    'duplicate:column': ({ field }: Field) => `${field} names a field that another column has already.`,
    'path-provider': ({ field }: Field) => `${field} must be the Provider of the path.`,
    'one-crm': 'There are several CRMs. Send the name of one as crm.',
    'crm-name': `The name ${crmNameRule}`,
    'crm-name:crm': `crm ${crmNameRule}.`,
    'if-match': 'If-Match needs one appointmentReference.',
    'single-customer': 'adopt is for a single Customer. For many, use customers/upsert.',
    'one-person': 'Send customerUuid, or customer for a new Customer.',
    itself: 'An Appointment cannot trade places with itself.',
    'itself:merge': 'A Customer cannot be merged with itself.',
    'itself:duplicate': 'The two Customers must be different.',

    // Addresses
    'https-address': address('https-address'),
    'https-address:form': address('https-address:form'),
    'address-login': address('address-login'),
    'private-address': address('private-address'),
    'web-address:channel':
      'The value of a link channel must be an address that begins with http:// or https://.',
    'web-address:placeholder': ({ link }: { link: string }) =>
      `The link ${link} cannot contain placeholders.`,
    'web-address:scheme': ({ link }: { link: string }) =>
      `The link ${link} must start with https://, mailto: or tel:.`,
    'dangerous-link': 'The value must not be a link that runs code.',
    email: ({ field }: Field) => `${field} must be an email address.`,
    'email:channel': 'The value of an email channel must be an email address.',

    // Questions
    'options-unused': 'Only choice and choices have options.',
    'limit-type': ({ field }: Field) =>
      `${field} must be a number for a number and a date such as 2027-03-04 for a date.`,
    'above-max': 'min must not be greater than max.',
    'above-max:duration': 'minDuration must not be longer than maxDuration.',
    'no-max-length': ({ type }: { type: string }) => `${type} has no maxLength.`,
    'staff-only': 'Only staff fill in fields of a customer: audience must be staff.',
    'staff-only:condition': ({ key }: Key) =>
      `Only staff are asked ${key}, so consumers would never see this.`,
    'no-answer': ({ value, key }: Key & { value: string }) => `${value} is not an answer to ${key}.`,
    fixed: ({ field }: Field) => `The ${field} of a question cannot change. Add another question.`,
    'reserved-key': ({ key }: Key) =>
      `${key} is the name of a field of the booking form. Choose another key.`,
    'depends:audience': ({ key }: Key) =>
      `${key} is asked of consumers and shown depending on this question.`,
    'depends:option': ({ key }: Key) => `${key} is shown only for an option that would be removed.`,
    order: ({ key, after }: Key & { after: string }) => `${key} must come before ${after}.`,
    'order:product': ({ key, after, product }: Key & { after: string; product: string }) =>
      `On the form of ${product}, ${key} must come before ${after}.`,
    consent: 'Only the person can give this consent.',

    // Files and pictures
    picture: 'data must be a picture: PNG, JPEG, WebP or GIF, in Base64.',
    'picture-size': 'data must be a picture of at most 256 KB. Make it smaller first.',
    'file-lines': 'The file needs a line of headers and at least one more line.',
    'unreadable-line': ({ line, problem }: { line: number; problem: string }) =>
      `Line ${line} cannot be read: ${problem}. Save the file as CSV again.`,
    'refused-lines': ({ count }: { count: number }) =>
      `${count} lines cannot be imported. Correct the file, or import the good lines only.`,
    'missing-columns': ({ fields }: { fields: string[] }) => `A column is needed for: ${fields.join(', ')}.`,
    'maxLength:notes': ({ limit }: Limit) =>
      `Together the notes are longer than ${limit} characters. Send the note to keep.`,

    // Logins and contacts
    'password-email': 'The password must not contain your email address.',
    'password-wrong': 'This is not your current password.',
    'operator-only': 'Only an operator can invite an operator.',
    contact: 'contactProfileReference needs contact: the User whose profile it is.',
    'contact:provider': ({ profile }: { profile: string }) =>
      `The profile ${profile} is not valid for this Provider.`,
    'contact:user': ({ profile }: { profile: string }) =>
      `The profile ${profile} does not belong to the contact.`,

    // States
    'other-mirror': 'Bookings of this Resource are already written to another calendar.',
    'caldav-only': 'Bookings can be written only to CalDAV calendars.',
    'not-booked': 'The Participation must be BOOKED.',
    'no-such-state': ({ state }: { state: string }) =>
      `A Participation cannot be moved to ${state}. Create a new one instead.`,
    'former-places':
      'A cancelled place in this Appointment can be restored with its former state, unless the person has since moved or been erased.',

    // Lists
    'pattern:letter': ({ field, letter }: Field & { letter: string }) =>
      `${field} is not a valid pattern: "${letter}" is not a letter of date patterns.`,
    'pattern:unterminated-quote': ({ field }: Field) =>
      `${field} is not a valid pattern: a quote is not closed.`,
    'pattern:too-long': ({ field }: Field) => `${field} is not a valid pattern: it is too long.`,
    'group-name': ({ field, name }: Field & { name: string }) => `${field} must not produce "${name}".`,
    'no-fault': 'Choose a status, drop or delayMs.',
  },
  'invalid-json': {
    '': 'The body is not valid JSON.',
    detail: ({ detail }: { detail: string }) => `The body is not valid JSON: ${detail}`,
    // The framework's own words.
    framework: ({ detail }: { detail: string }) => detail,
    length: 'The length of the body does not match Content-Length.',
    utf8: 'The body is not UTF-8.',
    depth: ({ limit }: Limit) => `The body is nested more than ${limit} levels deep.`,
    proto: 'A field must not be named __proto__.',
  },
  'duplicate-reference': {
    '': ({ noun, name }: { noun: string; name: string }) =>
      `A ${noun} with the reference ${name} already exists. Send onDuplicateRaise=false to update it.`,
    repeated: ({ name }: { name: string }) =>
      `The reference ${name} occurs more than once in this request. Send each record once.`,
  },
  'missing-key': 'Send your API key in the header X-SERVICE-CLIENT-ID.',
  'invalid-key': 'This API key is unknown, revoked or expired. Ask the operator for a new one.',
  'login-required': {
    '': 'Log in to the console, or send an operator token as Authorization: Bearer.',
    metrics:
      'Send METRICS_TOKEN as Authorization: Bearer. Without it, metrics are available on this machine only.',
  },
  'login-failed': {
    '': 'Email or password is wrong.',
    code: 'This code is wrong or has already been used. Wait for the next one.',
  },
  'code-required': {
    '': 'Enter the code from your authenticator app.',
    'in-use': 'A second factor is already set up. Remove it with a code first.',
  },
  'wrong-crm': ({ name }: { name: string }) =>
    `This API key does not belong to the CRM ${name}. Name the key's own CRM in the path, or send a key of ${name}.`,
  scope: {
    '': ({ scope }: { scope: string }) =>
      `This needs the scope "${scope}", which your key or login does not have. Ask the operator for a key that has it.`,
    role: ({ right }: { right: string }) =>
      `Your role does not include this: ${right}. Ask the owner or an administrator.`,
    agent: 'Agents cannot book directly here. Propose the time to the person instead.',
  },
  'not-found': {
    '': ({ noun, name }: { noun: string; name: string }) => `There is no ${noun} "${name}".`,
    // Integrators already match on these exact texts of Create Account.
    owner: 'no user found for ownerReference',
    several: ({ noun, name, form }: { noun: string; name: string; form: string }) =>
      `Several Providers have a ${noun} ${name}. Name the Provider: ${form}.`,
    form: ({ name }: { name: string }) => `The Product ${name} has no booking form of its own.`,
    provider: 'The Provider was deleted.',
    path: ({ path }: { path: string }) => `There is no ${path}. See /docs.`,
    'path:slash': ({ path, shorter }: { path: string; shorter: string }) =>
      `There is no ${path}. Remove the trailing slash: ${shorter}`,
    'path:escape': ({ path }: { path: string }) =>
      `There is no ${path}. A slash inside a reference must be sent as %2F.`,
    'path:long': 'There is no such path: part of it is longer than any reference.',
  },
  'unknown-branch': ({ given, choices }: { given: string } & Choices) =>
    `Unable to find specified branch. Was ${given}. Allowed are ${choices.join(', ')}.`,
  'invalid-reference': ({ given }: { given: string }) =>
    `Unable to parse account reference. Was ${given}. The form is uniqueId@platformName.`,
  'invalid-token':
    'This token is invalid or has expired: it was used or replaced, or the Appointment has started. Open the link in the latest email.',
  'method-not-allowed': ({ method, path, allow }: { method: string; path: string; allow: string[] }) =>
    `${path} does not support ${method}. Send ${allow.join(' or ')}.`,
  'cursor-expired': {
    '': 'The events after this cursor have been deleted. Start again without `after`, and reload the data you keep.',
    unknown:
      'This log has not issued this cursor. Send `next` unchanged; without one, start again without `after`, and reload the data you keep.',
  },
  moved: {
    '': ({ location }: { location: string }) => `This CRM has moved to ${location}. Send the request there.`,
    unknown: 'This CRM has moved to another installation. Ask the provider for its new address.',
  },
  'customer-merged': ({ former, reference }: Reference & { former: string }) =>
    `The Customer "${former}" was merged into "${reference}". Use that reference instead.`,
  'undo-expired': 'This can no longer be undone: that is possible for 30 days.',
  'email-exists': {
    '': 'User with given email already exists.',
    // Says neither where the address has a login nor what it may do.
    invitation: 'This address cannot be invited. Use a different one.',
  },
  'username-exists': 'User with given username already exists.',
  'reference-exists': ({ noun, name }: { noun: string; name: string }) =>
    `Another ${noun} already uses the reference ${name}. Choose another reference, or send the same data as the existing one.`,
  'address-taken': ({ slug }: { slug: string }) =>
    `The address ${slug} is not available. Choose another one.`,
  owner: {
    operator: 'The last operator cannot be removed. Invite another operator first.',
    role: 'This person owns the business. Make someone else the owner first.',
    staff: 'This User owns the Provider. The owner always belongs to its staff.',
    user: ({ owned }: { owned: string[] }) =>
      `This User owns ${shortList(owned)}. Make another User the owner first.`,
  },
  'future-appointments': ({ noun }: { noun: string }) =>
    `The ${noun} has future Appointments. Cancel them first, or send ignoreFutureAppointments=true.`,
  'only-product': ({ resources }: { resources: string[] }) =>
    `${resources.join(', ')}: no other Product can be booked there. Link another one first, or delete the Resource.`,
  'in-use': ({ noun, uses }: { noun: string; uses: string[] }) =>
    `The ${noun} is in use: ${shortList(uses)}. Change that first.`,
  'question-in-use': ({ key, dependent }: Key & { dependent: string }) =>
    `${dependent} is shown depending on ${key}. Change ${dependent} first.`,
  'active-appointment': {
    timeslot: 'The Timeslot has an Appointment that is not cancelled. Cancel or delete that first.',
    outside: ({ name }: { name: string }) =>
      `The Appointment ${name} would lie outside the Timeslot. Cancel or delete it first.`,
  },
  'capacity-exceeded': 'The Appointment is full. To add a Customer anyway, send ignoreCapacity=true.',
  conflict: {
    '': ({ conflicts }: { conflicts: Conflict[] }) => `${all(conflicts)} ${anyway}`,
    date: ({ conflicts }: { conflicts: Conflict[] }) =>
      `${all(conflicts)} To book this date anyway, send ignoreConflicts with it.`,
    swap: `The two would overlap each other. ${anyway}`,
    'old-place':
      'The other Appointment has more participants, and the two overlap. Move or cancel one of them first.',
    product: `The Resource does not offer this Product. ${anyway}`,
    'not-free': `This time is not free. ${anyway}`,
    'too-soon': `It starts too soon for an answer. Call the Customer and book it directly. ${anyway}`,
    'open-offer': `The Customer already has an open offer. ${anyway}`,
    'open-offer:entry': `The Customer already has an open offer through another entry. ${anyway}`,
    unconfirmed: `The Customer has not confirmed their address yet. ${anyway}`,
    ended: `The entry has ended. ${anyway}`,
    'ended:change': `The entry has ended. Add a new one. ${anyway}`,
    'offered-before': `This time was offered to the Customer before. ${anyway}`,
    'waits-already': `The Customer already waits for this. ${anyway}`,
    'max-waiting': ({ limit }: Limit) =>
      `A Customer can have at most ${limit} open entries. End one of them first. ${anyway}`,
  },
  'transition-not-allowed': {
    '': ({ from, to }: { from: string; to: string }) =>
      `This Participation is ${from} and cannot become ${to}. Create a new Participation instead.`,
    attendance: ({ state }: { state: string }) =>
      `This Participation is ${state}. Attendance can only be recorded for a BOOKED Participation.`,
    email:
      'The email address of this booking cannot be corrected here: this is possible once, within ten minutes, and not for Customers added by the provider. Please contact the provider.',
    hold: 'This place is a consumer’s hold and has no Customer yet. You can cancel it; only that consumer can book it.',
  },
  'appointment-cancelled': {
    '': 'The Appointment is cancelled, so no Customers can be added. Create a new one with another reference.',
    move: 'The Appointment is cancelled, so it cannot be moved. Restore it in the console first, or create a new one with another reference.',
  },
  'already-participates':
    'This Customer already has another Participation in this Appointment. Update that one instead.',
  'same-person': ({ reference }: Reference) =>
    `The Customer "${reference}" booked online with this email. Send adopt=true to give that Customer this reference and keep the bookings.`,
  'merge-conflict': {
    appointments: ({ names }: { names: string }) =>
      `Both have a place in the same Appointment: ${names}. Cancel one of the two places first.`,
    'waiting-list':
      'Both are on the waiting list for the same time, or both have an open offer. Remove one of the two entries first.',
  },
  'import-state': ({ state }: { state: string }) =>
    `The import is ${state}, so this is not possible now. Read it again.`,
  'in-progress':
    'A request with this Idempotency-Key is still being processed. Send this one again in a moment to get its response.',
  changed: {
    '': changed,
    moved: ({ start, end }: { start: number; end: number }) =>
      `It was moved by another request at the same time, and is now from ${toUtcText(start)} to ${toUtcText(end)}. Nothing was changed by this request. Check the new time, and send your move again if you still want it.`,
    begun: 'It has already begun, so it stays as it is.',
  },
  'idempotency-mismatch': {
    '': 'This Idempotency-Key was used for a different request in the last 24 hours. Use a new one for each request.',
    unreadable:
      'A request with this Idempotency-Key was processed before, but its response can no longer be read. Check its effect, and use a new key for the next request.',
  },
  'channel-hidden': {
    '': 'This channel is not open for bookings: the provider has hidden it.',
    'no-email':
      'The waiting list is closed: joining is confirmed by email, and no mail server is set up. Operators set SMTP_URL.',
  },
  'not-invited':
    'This channel is open to invited customers only. Use the email address you were invited with.',
  'change-notice': ({ contact }: { contact: string }) =>
    `It is too late to cancel or reschedule this Appointment online. Please contact us: ${contact}.`,
  'precondition-failed': changed,
  // Widgets show "taken" for every rule. Each overlap says so, because integrators match on that text.
  '201': {
    '': 'The slot is taken: it overlaps with another Appointment.',
    archived: 'This Resource can no longer be booked: it is archived.',
    'not-bookable': 'This Timeslot is not open for bookings.',
    'not-open': 'This Timeslot is not open for bookings at this time. Load the list again.',
    product: 'This Product is not offered here. Load the list with prdRef to see where it is.',
    raster: 'No slot starts at this time. Load the list again.',
    duration:
      'This Product cannot be booked for this length of time: it has a shortest and a longest duration.',
    rest: 'The slot would end after the Timeslot does. Choose an earlier start or a shorter time.',
    notice: 'It is too late to book this slot: it starts sooner than bookings are taken.',
    horizon: 'It is too early to book this slot: it is further ahead than bookings are taken.',
    capacity: 'This Timeslot has no places.',
    full: 'The last place is taken: it overlaps with another Appointment.',
    'too-few-places': 'There are not enough places left: it overlaps with another Appointment.',
    buffer: 'There is no room for the time before and after: it overlaps with another Appointment.',
    closed: 'This Appointment is not open for bookings.',
    busy: 'The provider is busy then: it overlaps with another Appointment.',
    past: 'This time has passed. Load the list again and choose a later one.',
    closure: 'This time is closed. Load the list again.',
    'closure:reason': ({ closure }: { closure: string }) => `This time is closed: ${closure}`,
    gone: 'This Appointment is gone or cancelled. Load the list again.',
    cancelled:
      'This booking was made and has been cancelled since. Load the list again and book a free slot.',
    'hold-expired': 'This hold has expired or was released. Hold a time again.',
    'hold-expired:series': 'The hold of a date has expired. Hold the dates again.',
    proposed: 'This time is already proposed to another address. Release it and hold it again.',
    'offer-ended': 'This offer has ended.',
  },
  '202': 'You are already booked for this Appointment. There is nothing left to do.',
  'too-large': ({ limit }: Limit) => `The body is larger than ${limit / 1024 / 1024} MiB. Send it in parts.`,
  'media-type': 'Send the body as JSON, with Content-Type: application/json.',
  'too-many-requests': {
    '': ({ retryAfterSeconds: seconds }: { retryAfterSeconds: number }) =>
      `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    holds: ({ limit }: Limit) =>
      `No more than ${limit} slots can be held at a time. Book or release one first.`,
    'holds:resource': ({ limit }: Limit) =>
      `No more than ${limit} slots can be held at one Resource. Book or release one first.`,
    renewals: ({ limit }: Limit) => `A hold can be renewed ${limit} times. Book it or choose another slot.`,
    proposals: ({ limit }: Limit) =>
      `No more than ${limit} proposals can wait for one person. Wait until they confirm or the proposals lapse.`,
  },
  internal: ({ requestId }: { requestId: string }) =>
    `Something went wrong. Please give the operator this request id: ${requestId}`,
  unavailable: {
    '': ({ cause }: { cause: string | null }) =>
      `${outages[cause ?? ''] ?? 'The database cannot be reached right now.'} Try again in a moment.`,
    demand: 'This time is in high demand right now. Please try again.',
    overloaded: 'The service is busy right now. Please try again in a second.',
  },
  suspended: 'This service is currently paused. Nothing was changed. Try again later.',
}

type Texts = typeof errorTexts
export type ErrorCode = keyof Texts
export const errorCodes = Object.keys(errorTexts) as ErrorCode[]

type Text = string | ((params: never) => string)
type Given<T> = T extends (params: infer P) => string ? P : unknown

/** The rules of a code, and what the sentence of each needs. */
export type RuleOf<C extends ErrorCode> = Texts[C] extends Text ? never : keyof Texts[C] & string
export type ParamsOf<C extends ErrorCode, R> = R extends keyof Texts[C] ? Given<Texts[C][R]> : unknown

/** All that a Refusal of this code must carry. */
export type DataOf<C extends ErrorCode> = Texts[C] extends Text
  ? Given<Texts[C]>
  : {
      [R in keyof Texts[C]]: (R extends '' ? { rule?: '' } : { rule: R }) & Given<Texts[C][R]>
    }[keyof Texts[C]]

/** Rules of schemas: their sentences come from the schema. */
export const schemaRules = [
  'min',
  'max',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'email',
  'https-address',
  'web-address',
  'slug',
  'whole-number',
] as const

const publicRule = (rule: string) => rule.split(':')[0]!

const isText = (one: Text | Record<string, Text>): one is Text => typeof one !== 'object'

export const errorRules = [
  ...new Set([
    ...schemaRules,
    ...Object.values(errorTexts).flatMap(one => (isText(one) ? [] : Object.keys(one).map(publicRule))),
  ]),
].filter(Boolean)

export function errorText({ code, data }: { code: ErrorCode; data: { rule?: string } }): string {
  const own: Text | Record<string, Text> = errorTexts[code]
  const text = isText(own) ? own : own[data.rule ?? '']!
  return typeof text === 'string' ? text : text(data as never)
}
