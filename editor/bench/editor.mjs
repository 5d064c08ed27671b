/**
 * Measures the editor with 1,000 nodes and 1,500 edges in real Chromium and prints a table.
 * It serves the built editor itself and answers the API from memory: what is measured is the page.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { answer, bigFlow } from './api.mjs'
import { findChromium } from './browser.mjs'
import { drag, dragNode, frames, perFrame, running, typing, wheel } from './measures.mjs'

const dist = resolve(import.meta.dirname, '../dist')
const TYPES = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

const flow = bigFlow(1000, 1500)
const streams = new Set()
const server = createServer((request, response) => serve(request, response))
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const base = `http://127.0.0.1:${server.address().port}`

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
})
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
await page.addInitScript(() => {
  const session = { token: 'a.b.c', subject: 'bench', expires: Date.now() + 3_600_000 }
  localStorage.setItem('impasto.session', JSON.stringify(session))
})

const rows = []
const row = (what, limit, value, unit) => {
  rows.push({ what, limit, measured: `${value.toFixed(1)} ${unit}` })
  process.stderr.write(`${what}: ${value.toFixed(1)} ${unit}\n`)
}

await page.goto(`${base}/flow/warm`)
await page.waitForSelector('.react-flow__node')
const opened = await page.evaluate(async (address) => {
  const start = performance.now()
  window.history.pushState({}, '', address)
  window.dispatchEvent(new PopStateEvent('popstate'))
  while (document.querySelectorAll('.react-flow__node').length < 40) {
    await new Promise((done) => requestAnimationFrame(done))
  }
  return performance.now() - start
}, `/flow/big`)
row('open 1,000 nodes', 'under 2,000 ms', opened, 'ms')
await page.waitForTimeout(1500)

await page.keyboard.press('0')
await page.waitForTimeout(600)
row(
  'pan',
  '50 frames/s',
  await frames(page, () => drag(page, { x: 640, y: 770 }, -260, -160, 90)),
  'frames/s',
)
row('zoom', '50 frames/s', await frames(page, () => wheel(page)), 'frames/s')
await page.keyboard.press('0')
await page.waitForTimeout(600)
row('drag a node', 'under 20 ms', await perFrame(page, () => dragNode(page)), 'ms a frame')
row('type in a setting', 'under 50 ms', await typing(page), 'ms a key')
row('run, 200 events/s', '50 frames/s', await running(page, flow, streams), 'frames/s')
await weigh()

report()
await browser.close()
server.close()

async function serve(request, response) {
  const { pathname, searchParams } = new URL(request.url, base)
  if (pathname.startsWith('/api/v1'))
    return answer(request, response, pathname.slice(7), { flow, streams, searchParams })
  const file = extname(pathname) ? join(dist, pathname) : join(dist, 'index.html')
  const body = await readFile(file).catch(() => null)
  response.writeHead(body ? 200 : 404, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' })
  response.end(body)
}

/** A table for people and for the record. */
function report() {
  const lines = rows.map(({ what, limit, measured }) => `| ${what} | ${limit} | ${measured} |`)
  process.stdout.write(
    ['| 1,000 nodes, 1,500 edges | limit | measured |', '| --- | --- | --- |', ...lines, ''].join('\n'),
  )
}

/** What the browser has to fetch, gzipped: first for any page, then for the editor. */
async function weigh() {
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry.name)
      .filter((name) => /\.(js|css)$/.test(name)),
  )
  const first = new Set()
  const plain = await (await browser.newContext()).newPage()
  plain.on('request', (request) => /\.(js|css)$/.test(request.url()) && first.add(request.url()))
  await plain.goto(`${base}/login`, { waitUntil: 'networkidle' })
  const weight = async (names) => {
    let sum = 0
    for (const name of names) sum += gzipSync(await readFile(join(dist, new URL(name).pathname))).length
    return sum / 1000
  }
  row('first load, gzipped', 'under 250 kB', await weight([...first]), 'kB')
  row('editor, gzipped', 'under 350 kB', await weight(sizes.filter((name) => !first.has(name))), 'kB')
}
