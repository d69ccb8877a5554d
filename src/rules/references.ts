/** Clients remove path segments of dots only, so a resource with such a name could never be addressed. */
const notOnlyDots = '(?!\\.{1,2}$)'

/** For schemas. */
export const referencePattern = `^${notOnlyDots}(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$`

/** For schemas: not blank, and without the six characters that break paths. */
export const usernamePattern = '^(?=[^]*\\S)[^/?:&#\\\\]+$'

/** `uniqueId@platformName`: text before and after the last at sign, without blanks. */
export function isPlatformReference(reference: string): boolean {
  return /^[^\s]+@[^\s@]+$/.test(reference)
}

export const branches = ['real-estate', 'facilities', 'handyman', 'sports-and-leisure', 'misc'] as const
type Branch = (typeof branches)[number]

export const isBranch = (text: string): text is Branch => (branches as readonly string[]).includes(text)

/** For schemas. */
export const uuidPattern = '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$'
const uuid = new RegExp(uuidPattern)
export const isUuid = (text: string) => uuid.test(text)

/** The uuid in a generated name of something that a consumer created, `uuid@consumer`. */
export function uuidOfMadeUp(name: string): string | null {
  const uuid = name.replace(/@consumer$/, '')
  return uuid !== name && isUuid(uuid) ? uuid.toLowerCase() : null
}

/**
 * The ways to read a consumer's ref: as a uuid, or as `id@providerUuid@platform`, which stands for
 * `id@platform`.
 */
export function parseRef(ref: string): {
  uuid: string | null
  providerUuid: string | null
  short: string | null
  /** The text after the last at sign: possibly the name of a CRM. */
  platform: string | null
} {
  const parts = ref.split('@')
  const providerUuid = parts.length >= 3 ? parts.at(-2)! : ''
  const threePart = isUuid(providerUuid)
  return {
    uuid: isUuid(ref) ? ref : null,
    providerUuid: threePart ? providerUuid : null,
    short: threePart ? `${parts.slice(0, -2).join('@')}@${parts.at(-1)}` : null,
    platform: parts.length >= 2 ? parts.at(-1)! : null,
  }
}

/** Used in paths without escaping. */
export const isCrmName = (name: string) => crmNamePattern.test(name)
const crmNamePattern = new RegExp(`^${notOnlyDots}[^\\s\\p{Cc}/?#%]{1,100}$`, 'u')
export const crmNameRule = 'must be 1 to 100 characters without blanks or any of / ? # %, and not . or ..'

/** For schemas: the last part of a business's address, /book/{slug}. */
export const slugPattern = '^[a-z0-9]+(-[a-z0-9]+)*$'

const reserved =
  'about account admin administrator api app assets auth blog book booking bookings business console contact demo docs embed error favicon feed health help holdfast home icon imprint index info login logo logout mail main metrics my new news null page pages privacy public register resource resources rest root search security service settings setup signin signup static status support system terms test undefined waiting webhook webhooks widget www'.split(
    ' ',
  )

/** Words that a visitor would take for the service itself, and texts that already mean something else. */
export const isReservedSlug = (slug: string) => reserved.includes(slug) || isUuid(slug)
