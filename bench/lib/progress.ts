export function progress(line: string) {
  process.stderr.write(`${line}\n`)
}
