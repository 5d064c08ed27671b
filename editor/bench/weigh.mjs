import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** The gzipped size of what the browser loads: for the first page without a session, for Home, and for the editor. */
export async function weigh(page, browser, editor) {
  const first = await scripts(browser, `${editor.url}/login`)
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry.name)
      .filter((name) => /\.(js|css)$/.test(name)),
  )
  const weight = async (names) => {
    let sum = 0
    for (const name of names)
      sum += gzipSync(await readFile(join(editor.dist, new URL(name).pathname))).length
    return sum / 1000
  }
  return [
    ['first load, gzipped', 'under 250 kB', await weight(first)],
    ['editor, gzipped', 'under 300 kB', await weight(loaded.filter((name) => !first.has(name)))],
  ]
}

async function scripts(browser, address) {
  const names = new Set()
  const context = await browser.newContext()
  const page = await context.newPage()
  page.on('request', (request) => /\.(js|css)$/.test(request.url()) && names.add(request.url()))
  await page.goto(address, { waitUntil: 'networkidle' })
  await context.close()
  return names
}
