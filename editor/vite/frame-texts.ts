import type { Plugin } from 'vite'
import { assets } from '../src/lib/i18n/en/assets.ts'
import { auth } from '../src/lib/i18n/en/auth.ts'
import { canvas } from '../src/lib/i18n/en/canvas.ts'
import { home } from '../src/lib/i18n/en/home.ts'
import { runList } from '../src/lib/i18n/en/run-list.ts'

/** The largest text of each page, and what the editor shows until its canvas has one, by the names that `public/first-paint.js` gives to pages. */
const TEXTS = {
  login: auth.login.title,
  home: home.question,
  runs: runList.title,
  library: assets.title,
  editor: `${canvas.loading}…`,
}

const FONT = /instrument-serif-latin-400-normal.*\.woff2$/

/**
 * Writes the headings of pages from the catalogue into the frame of the page, which is shown before any code runs, and
 * requests their font with the page.
 */
export function frameTexts(): Plugin {
  return {
    name: 'frame-texts',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => ({
        html: html.replace('<div class="texts"></div>', textsHtml()),
        tags: Object.keys(bundle ?? {})
          .filter((file) => FONT.test(file))
          .map((file) => ({ tag: 'link', injectTo: 'head', attrs: { ...PRELOAD, href: `/${file}` } })),
      }),
    },
  }
}

const PRELOAD = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true }

function textsHtml(): string {
  const texts = Object.entries(TEXTS).map(([page, text]) => `<p data-of="${page}">${text}</p>`)
  const motto = `<p data-of="login" class="motto">${auth.motto}</p>`
  return `<div class="texts">${texts.join('')}</div>${motto}`
}
