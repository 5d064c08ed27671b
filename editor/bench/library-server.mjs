import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const bin = join(root, '.venv/bin')
const WHO = ['bench', 'bench@northbound.example', '--password', 'Cold-brew 1', '--definitive']

/** Starts a server with a data folder of its own, one user and the given number of assets. */
export async function serveLibrary(assets) {
  const data = await mkdtemp(join(tmpdir(), 'impasto-library-'))
  const url = `http://127.0.0.1:${await freePort()}`
  const env = {
    ...process.env,
    IMPASTO_DATA_DIR: data,
    IMPASTO_PORT: new URL(url).port,
    IMPASTO_PUBLIC_URL: url,
    IMPASTO_EDITOR_DIR: process.env.IMPASTO_EDITOR_DIR ?? resolve(import.meta.dirname, '../dist'),
    IMPASTO_LOCAL_DOWNLOAD: '0',
    IMPASTO_WARM: '0',
  }
  const server = spawn(join(bin, 'impasto'), ['serve'], { cwd: data, env, stdio: 'ignore' })
  const close = async () => {
    server.kill()
    await rm(data, { recursive: true, force: true })
  }
  try {
    await ready(url)
    execFileSync(join(bin, 'impasto'), ['admin', 'create-user', ...WHO], { env, cwd: data })
    const fill = [join(import.meta.dirname, 'library.py'), data, String(assets)]
    execFileSync(join(bin, 'python'), fill, { env, stdio: 'inherit' })
  } catch (error) {
    await close()
    throw error
  }
  return { url, close }
}

/** Signs the benchmark user in. */
export async function signIn(page, url) {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email', { exact: true }).fill(WHO[1])
  await page.getByLabel('Password', { exact: true }).fill(WHO[3])
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL((to) => to.pathname !== '/login')
}

async function ready(url) {
  const deadline = Date.now() + 60_000
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (Date.now() > deadline) throw new Error('The server is not ready after a minute.')
    await new Promise((done) => setTimeout(done, 100))
  }
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
}
