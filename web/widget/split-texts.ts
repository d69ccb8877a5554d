import { type Plugin, parseSync } from 'vite'
import { laterWords } from './later-words.ts'

// The main file speaks English until a time is chosen. `en.ts?later` is the rest of English, which loads while
// the visitor looks at the times; `de.ts?later` and so on are other languages in whole.

const languages = /\/shared\/texts\/(de|en|es|fr|it)\.ts(\?later)?$/
const isLater = (name: string) => (laterWords as readonly string[]).includes(name)

export function splitTexts(): Plugin {
  return {
    name: 'split-texts',
    enforce: 'pre',
    transform(code, id) {
      const [_match, language, later] = languages.exec(id) ?? []
      if (!language || (language !== 'en' && !later)) return null
      const { texts, begin, start, end } = read(code, `${language}.ts`)
      const kept = texts.filter(({ name }) => language !== 'en' || isLater(name) === Boolean(later))
      const table = `{ ${kept.map(one => one.code).join(', ')} }`
      const written = later
        ? `${code.slice(0, begin)}export default ${table}`
        : code.slice(0, start) + table + code.slice(end)
      return { code: written, map: null }
    },
  }
}

/** The texts of a language, and the position of their export and of its object in the file. */
function read(code: string, file: string) {
  for (const statement of parseSync(file, code).program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const { declaration } = statement
    const value = declaration?.type === 'VariableDeclaration' ? declaration.declarations[0]?.init : null
    if (value?.type !== 'ObjectExpression') continue
    const texts = value.properties.map(one => {
      if (one.type !== 'Property' || one.key.type !== 'Identifier')
        throw new Error(`${file}: not a plain name`)
      return { name: one.key.name, code: code.slice(one.start, one.end) }
    })
    return { texts, begin: statement.start, start: value.start, end: value.end }
  }
  throw new Error(`${file} exports no texts`)
}
