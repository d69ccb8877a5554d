// Rejects the private words that docs/style.md rules out. Part of `npm run lint`.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const words = [
  'whoever',
  'whomever',
  'anew',
  'mended?',
  'mends',
  'somebody',
  'nobody',
  'everybody',
  'anybody',
  '(is|are|was|were|be) told',
  'as ever',
  'by itself alone',
  'in the moment in which',
  'beforehand it',
  'sign of life',
]
const pattern = new RegExp(`\\b(${words.join('|')})\\b(?!@)`, 'i')

const folders = ['src', 'test', 'web', 'docs', 'bench', 'scripts', 'clients', 'deploy', 'migrations']
const files = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', '.ci/run']
const isText = /(\.(tsx?|js|css|md|sql|html|ya?ml|json|cfg|service|conf|sh)|\/run)$/
/** Released migrations are never edited; the others are generated, or contain the words on purpose. */
const isExempt =
  /^(migrations\/00(0\d|1[01])|scripts\/plain-words\.ts|src\/db\/embedded\/system-user\.ts|docs\/schema\.sql|src\/http\/examples\/)|package-lock\.json$/

const tracked = execFileSync('git', ['ls-files', ...folders, ...files], { encoding: 'utf8' }).split('\n')
const found = tracked
  .filter(path => isText.test(path) && !isExempt.test(path))
  .flatMap(path =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const match = pattern.exec(line)
        return match ? [`${path}:${index + 1}: "${match[0]}"  ${line.trim().slice(0, 100)}`] : []
      }),
  )

if (found.length > 0) {
  console.error(found.slice(0, 200).join('\n'))
  console.error(`${found.length} lines use words that docs/style.md rejects.`)
  process.exitCode = 1
}
