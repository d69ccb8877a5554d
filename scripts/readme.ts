// Prints the shell blocks of README.md that CI runs: those after a "run by CI" comment.

import { readFile } from 'node:fs/promises'

const text = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const blocks = [...text.matchAll(/<!-- run by CI -->\n```sh\n(.*?)```/gs)].map(match => match[1])
if (blocks.length === 0) throw new Error('README.md has no block for CI.')
console.log(blocks.join('\n'))
