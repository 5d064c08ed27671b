import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** The gzipped size of what a new browser loads: for the first page without a session, and for the editor. */
export async function weigh(browser, editor, storeSession) {
  const first = await scripts(browser, `${editor.url}/login`)
  const loaded = await scripts(browser, `${editor.url}/flow/warm`, storeSession)
  const weight = async (paths) => {
    let sum = 0
    for (const path of paths) sum += gzipSync(await readFile(join(editor.dist, path))).length
    return sum / 1000
  }
  return [
    ['first load, gzipped', { most: 241 }, await weight(first)],
    ['editor, gzipped', { most: 288 }, await weight([...loaded].filter((path) => !first.has(path)))],
  ]
}

async function scripts(browser, address, prepare) {
  const paths = new Set()
  const context = await browser.newContext()
  const page = await context.newPage()
  if (prepare) await page.addInitScript(prepare)
  await page.addInitScript(withoutLongTimers)
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\.(js|css)$/.test(pathname)) paths.add(pathname)
  })
  await page.goto(address, { waitUntil: 'networkidle' })
  await context.close()
  return paths
}

/** Code that is loaded on a timer of three seconds or more is not part of the first load. */
function withoutLongTimers() {
  const setTimeout = window.setTimeout
  window.setTimeout = (handler, delay = 0, ...rest) =>
    delay < 3000 ? setTimeout(handler, delay, ...rest) : 0
}
