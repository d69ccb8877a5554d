import Type from 'typebox'
import { languages } from '../languages.ts'
import { slugPattern } from '../rules/references.ts'
import { defaulted, elsewhere, entity, internal, optional, required, shown, updatedAt } from './entity.ts'
import {
  Branch,
  BranchInput,
  Choice,
  Email,
  LongText,
  Phone,
  PictureUrl,
  Reference,
  ruleText,
  Text,
  TimeZoneInput,
  Url,
  Uuid,
  WebAddress,
} from './fields.ts'

const AccentColor = Type.String({
  pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
  ...ruleText('be a colour such as #0b6e69'),
})
const Clock = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  ...ruleText('be a time of day such as 21:00'),
})
const Slug = Type.String({
  minLength: 3,
  maxLength: 60,
  pattern: slugPattern,
  ...ruleText('have lower-case letters, digits and single hyphens between them', 'slug'),
})
const Language = Choice(languages)
const flag = (description: string) =>
  defaulted(Type.Boolean(), false, { output: Type.Boolean({ description }) })

export const provider = entity('provider', {
  id: internal<number>(),
  crmId: internal<number>(),
  ownerId: internal<number>(),
  uuid: shown(Uuid),
  reference: required(Reference),
  name: required(Text()),
  slug: optional(Slug, {
    output: Type.String({ description: 'The last part of its address, /book/{slug}.' }),
  }),
  email: optional(Email),
  mobile: optional(Phone),
  phone: optional(Phone),
  website: optional(WebAddress, { output: Url }),
  impressum: optional(LongText),
  branch: optional(BranchInput, { output: Branch }),
  subbranch: optional(Type.String({ maxLength: 1000 })),
  updatedAt,
  description: optional(LongText),
  /** Time zone and language default to those of the CRM or the installation. */
  timeZone: defaulted(TimeZoneInput, undefined),
  language: defaulted(Language, undefined, { output: Language }),
  preIdentification: flag('Returning customers may be greeted with their masked name.'),
  /** #rrggbb */
  accentColor: optional(AccentColor),
  logoUrl: optional(PictureUrl),
  privacyUrl: optional(WebAddress, { output: Type.String() }),
  terms: optional(LongText),
  termsRequired: flag('Consumers must accept the terms before they book.'),
  resourceWord: optional(Type.String({ maxLength: 60 }), {
    output: Type.String({ description: 'What consumers call the Resources, such as Doctor or Room.' }),
  }),
  calendarColors: defaulted(Choice(['RESOURCE', 'PRODUCT']), 'RESOURCE', {
    output: Choice(['RESOURCE', 'PRODUCT'], {
      description: 'What the colours in the console’s calendar stand for.',
    }),
  }),
  offerMinutes: elsewhere(
    defaulted(Type.Integer({ minimum: 5, maximum: 10_080 }), 120, {
      output: Type.Number({
        description: 'How long an offer of the waiting list is held. Quiet hours do not count.',
      }),
    }),
  ),
  quietFrom: elsewhere(
    defaulted(Clock, '21:00', {
      output: Type.String({ description: 'Start of the quiet hours, local time.' }),
    }),
  ),
  quietUntil: elsewhere(
    defaulted(Clock, '08:00', {
      output: Type.String({ description: 'End of the quiet hours. Equal to the start: none.' }),
    }),
  ),
})
