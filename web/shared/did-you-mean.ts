// Common mail domains; a near miss is probably a typo. Only ever asked as a question.
const known = (
  'gmail.com googlemail.com mac.com mail.com email.com ymail.com yahoo.com outlook.com hotmail.com live.com icloud.com aol.com gmx.de gmx.net ' +
  'web.de t-online.de freenet.de bluewin.ch orange.fr wanadoo.fr laposte.net libero.it virgilio.it proton.me example.org example.com'
).split(' ')

/** Suggests `ann@gmail.com` for `ann@gmial.con`; null if there is nothing to suggest. */
export function didYouMean(email: string): string | null {
  const [_match, name, domain = ''] = /^(.+)@([^@\s]+)$/.exec(email.trim().toLowerCase()) ?? []
  if (!name || known.includes(domain)) return null
  // hotmail.ch and yahoo.ca are real; of the two-letter endings, only these are typos of `com`.
  const isAbroad = (one: string) =>
    /\.[a-z]{2}$/.test(domain) && !/\.(co|cm|om)$/.test(domain) && nameOf(domain) === nameOf(one)
  const isNear = (one: string) =>
    !isAbroad(one) && distance(domain, one) <= Math.min(2, Math.floor(one.length / 4))
  const nearest = known.filter(isNear).sort((a, b) => distance(domain, a) - distance(domain, b))[0]
  return nearest ? `${name}@${nearest}` : null
}

const nameOf = (domain: string) => domain.replace(/\.[^.]+$/, '')

/** Edit distance: a letter missing, added, wrong, or two swapped. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : 99
      const changed = rows[i - 1]![j - 1]! + Number(a[i - 1] !== b[j - 1])
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, changed, swapped))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
