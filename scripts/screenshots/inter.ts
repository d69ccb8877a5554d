// Pages use the reader's own system font, which a server does not have. With this, Chromium uses Inter for it.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const families = ['system-ui', 'sans-serif', 'Segoe UI', 'Roboto', 'Helvetica Neue', 'Arial']

const alias = (family: string) => `
  <match target="pattern">
    <test qual="any" name="family"><string>${family}</string></test>
    <edit name="family" mode="assign" binding="strong"><string>Inter</string></edit>
  </match>`

/** For browsers that start from now on. Warns if Inter is not installed (`apt-get install fonts-inter`). */
export function useInter() {
  const found = execFileSync('fc-list', [':family=Inter'], { encoding: 'utf8' })
  if (!found) return console.warn('Inter is missing: pictures use another font. Install fonts-inter.')
  const file = join(mkdtempSync(join(tmpdir(), 'holdfast-fonts-')), 'fonts.conf')
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
  <include>/etc/fonts/fonts.conf</include>${families.map(alias).join('')}
</fontconfig>`,
  )
  process.env.FONTCONFIG_FILE = file
}
