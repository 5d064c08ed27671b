import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, resolve } from 'node:path'
import { answer, bigFlow } from './api.mjs'

const TYPES = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webp': 'image/webp',
}

const COVERS = resolve(import.meta.dirname, '../../examples/agents/covers')

/** Serves the built editor with one large agent, and the event stream of its run. */
export async function serveEditor({ nodes, edges }) {
  const dist = process.env.IMPASTO_EDITOR_DIR ?? resolve(import.meta.dirname, '../dist')
  const flow = bigFlow(nodes, edges)
  const streams = new Set()
  const covers = (await readdir(COVERS)).filter((name) => name.endsWith('.webp'))
  const coverOf = (pathname) => join(COVERS, covers[Number(pathname.match(/\d+/)?.[0] ?? 0) % covers.length])
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    if (pathname.startsWith('/api/v1')) return answer(request, response, pathname.slice(7), { flow, streams })
    const own = extname(pathname) ? join(dist, pathname) : join(dist, 'index.html')
    const file = pathname.startsWith('/pictures/') ? coverOf(pathname) : own
    const body = await readFile(file).catch(() => null)
    response.writeHead(body ? 200 : 404, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    })
    response.end(body)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    dist,
    flow,
    streams,
    close: () => server.close(),
  }
}
