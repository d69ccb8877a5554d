import { readFileSync } from 'node:fs'
import { type Plugin, parseSync } from 'vite'

// Five languages say the same hundred things, and the names of these would be five times in the file that every visitor
// downloads. Here each language becomes what it says, line by line; the names stand there once.

const folder = new URL('../shared/texts/', import.meta.url)
const languages = /\/shared\/texts\/(de|en|es|fr|it)\.ts$/
const helper = '\0holdfast:named'

export function compactTexts(): Plugin {
  const sayings = [...read(readFileSync(new URL('en.ts', folder), 'utf8'), 'en.ts').said]
  const plain = sayings.filter(([, { text }]) => text !== null).map(([name]) => name)
  const made = sayings.filter(([, { text }]) => text === null).map(([name]) => name)
  return {
    name: 'compact-texts',
    resolveId: id => (id === helper ? id : null),
    load: id => (id === helper ? namedBy([...plain, ...made]) : null),
    transform(code, id) {
      if (!languages.test(id)) return null
      const { said, start, end } = read(code, id)
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

/** What a language says, by name, and where the object that holds it stands in the file. */
function read(code: string, file: string) {
  const said = new Map<string, Saying>()
  const { properties, start, end } = exported(code, file)
  for (const one of properties) {
    if (one.type !== 'Property' || one.key.type !== 'Identifier') throw new Error(`${file}: not a plain name`)
    const { value } = one
    const isText = value.type === 'Literal' && typeof value.value === 'string'
    said.set(one.key.name, {
      code: code.slice(value.start, value.end),
      text: isText ? String(value.value) : null,
    })
  }
  return { said, start, end }
}

function exported(code: string, file: string) {
  for (const statement of parseSync(file, code).program.body)
    if (
      statement.type === 'ExportNamedDeclaration' &&
      statement.declaration?.type === 'VariableDeclaration'
    ) {
      const value = statement.declaration.declarations[0]?.init
      if (value?.type === 'ObjectExpression') return value
    }
  throw new Error(`${file} exports no texts`)
}
