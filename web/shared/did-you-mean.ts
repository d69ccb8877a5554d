// Common mail domains; a near miss is probably a typo. Only ever asked as a question.
const known = (
  'gmail.com googlemail.com mac.com mail.com email.com ymail.com yahoo.com outlook.com hotmail.com live.com icloud.com aol.com gmx.de gmx.net ' +
  'web.de t-online.de freenet.de bluewin.ch orange.fr wanadoo.fr laposte.net libero.it virgilio.it proton.me'
).split(' ')

/** Suggests `ann@gmail.com` for `ann@gmial.con`; null if there is nothing to suggest. */
export function didYouMean(email: string): string | null {
  const [_match, name, domain = ''] = /^(.+)@([^@\s]+)$/.exec(email.trim().toLowerCase()) ?? []
  if (!name || known.includes(domain)) return null
  // hotmail.ch and yahoo.ca are real; of the two-letter endings, only these are typos of `com`.
  const isAbroad = (one: string) =>
    /\.[a-z]{2}$/.test(domain) && !/\.(co|cm|om)$/.test(domain) && nameOf(domain) === nameOf(one)
  const isNear = (one: string) => !isAbroad(one) && distance(domain, one) <= (one.length > 7 ? 2 : 1)
  const nearest = known.filter(isNear).sort((a, b) => distance(domain, a) - distance(domain, b))[0]
  return nearest ? `${name}@${nearest}` : null
}

const nameOf = (domain: string) => domain.replace(/\.[^.]+$/, '')

/** Edit distance: a letter missing, added, wrong, or two swapped. Beyond `most`, some larger number. */
function distance(a: string, b: string, most = 2): number {
  if (most < 0) return 99
  if (!a || !b) return a.length + b.length
  const [x, y] = [a.slice(1), b.slice(1)]
  if (a[0] === b[0]) return distance(x, y, most)
  const left = most - 1
  const swapped = a[0] === b[1] && a[1] === b[0] ? distance(x.slice(1), y.slice(1), left) : 99
  return 1 + Math.min(distance(x, b, left), distance(a, y, left), distance(x, y, left), swapped)
}
