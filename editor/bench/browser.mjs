import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The system's Chromium, or the one of Playwright if there is none. */
export function findChromium() {
  return [process.env.IMPASTO_CHROMIUM, ...PLACES].find((path) => path && existsSync(path))
}
