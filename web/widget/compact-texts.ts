import { readFileSync } from 'node:fs'
import { type Plugin, parseSync } from 'vite'
import { laterWords } from './later-words.ts'

// Five languages share a hundred keys, which would be repeated five times in the file that every visitor
// downloads. So each language is compiled to an array of its texts, and the keys appear once. Texts that are
// needed only after a time was chosen are left out: `de.ts?later` is a separate file that loads while the
// visitor looks at the times.

const folder = new URL('../shared/texts/', import.meta.url)
const languages = /\/shared\/texts\/(de|en|es|fr|it)\.ts(\?later)?$/
const helper = '\0holdfast:named'
const isLater = (name: string) => (laterWords as readonly string[]).includes(name)

export function compactTexts(): Plugin {
  const sayings = [...read(readFileSync(new URL('en.ts', folder), 'utf8'), 'en.ts').said]
  const first = sayings.filter(([name]) => !isLater(name))
  const plain = first.filter(([, { text }]) => text !== null).map(([name]) => name)
  const made = first.filter(([, { text }]) => text === null).map(([name]) => name)
  return {
    name: 'compact-texts',
    enforce: 'pre',
    resolveId: id => (id === helper ? id : null),
    load: id => (id === helper ? namedBy([...plain, ...made]) : null),
    transform(code, id) {
      if (!languages.test(id)) return null
      const { said, begin, start, end } = read(code, id.replace('?later', ''))
      if (id.endsWith('?later')) {
        const later = [...said].filter(([name]) => isLater(name))
        const table = later.map(([name, saying]) => `${name}: ${saying.code}`).join(', ')
        return { code: `${code.slice(0, begin)}export default { ${table} }`, map: null }
      }
      const lines = plain.map(name => {
        const line = said.get(name)?.text
        if (line == null || line.includes('\n')) this.error(`${name} is one line of text in en.ts`)
        return line
      })
      const list = made.map(name => said.get(name)!.code)
      const table = `named(${JSON.stringify(lines.join('\n'))}, [${list.join(', ')}])`
      const head = `import { named } from ${JSON.stringify(helper)}\n`
      return { code: head + code.slice(0, start) + table + code.slice(end), map: null }
    },
  }
}

const namedBy = (names: string[]) => `
const names = ${JSON.stringify(names.join(' '))}.split(' ')
export const named = (plain, made) =>
  Object.fromEntries([...plain.split('\\n'), ...made].map((text, index) => [names[index], text]))
`

type Saying = { code: string; text: string | null }

/** The texts of a language by key, the name of their export, and the position of the object in the file. */
function read(code: string, file: string) {
  const said = new Map<string, Saying>()
  const { begin, value } = exported(code, file)
  for (const one of value.properties) {
    if (one.type !== 'Property' || one.key.type !== 'Identifier') throw new Error(`${file}: not a plain name`)
    const { value } = one
    const isText = value.type === 'Literal' && typeof value.value === 'string'
    said.set(one.key.name, {
      code: code.slice(value.start, value.end),
      text: isText ? String(value.value) : null,
    })
  }
  return { said, begin, start: value.start, end: value.end }
}

function exported(code: string, file: string) {
  for (const statement of parseSync(file, code).program.body)
    if (
      statement.type === 'ExportNamedDeclaration' &&
      statement.declaration?.type === 'VariableDeclaration'
    ) {
      const value = statement.declaration.declarations[0]?.init
      if (value?.type === 'ObjectExpression') return { begin: statement.start, value }
    }
  throw new Error(`${file} exports no texts`)
}
