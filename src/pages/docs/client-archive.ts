import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { packagePath } from '../../lib/root.ts'

// The package @holdfast/client as npm would pack it, made from the files of this version.

const folder = 'clients/ts/'
let archive: Promise<Buffer> | undefined

/** Null if the client has not been compiled (scripts/prepare/client.js). */
export async function clientArchive(): Promise<Buffer | null> {
  if (!existsSync(packagePath(`${folder}dist/index.js`))) return null
  archive ??= pack()
  return archive
}

async function pack(): Promise<Buffer> {
  const inside = async (name: string) =>
    (await readdir(packagePath(`${folder}${name}/`))).sort().map(file => `${name}/${file}`)
  const names = ['package.json', ...(await inside('dist')), ...(await inside('widget'))]
  const files = await Promise.all(
    names.map(async name => entry(name, await readFile(packagePath(folder + name)))),
  )
  return gzipSync(Buffer.concat([...files, Buffer.alloc(1024)]))
}

/** One file in the tar format (ustar): a header of 512 bytes, and the content padded to as many. */
function entry(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  const fields: [at: number, text: string][] = [
    [0, `package/${name}`],
    [100, octal(0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(content.length, 11)],
    // A fixed time, as npm does: the same files make the same archive.
    [136, octal(499_162_500, 11)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
  ]
  for (const [at, text] of fields) header.write(text, at, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1')
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}
