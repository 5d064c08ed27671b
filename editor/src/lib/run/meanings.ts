/**
 * Results by what they are. A node type declares the meaning of an output (`Port(meaning=…)`); a value that does not
 * have the form of its meaning is shown as plain text or data.
 */

import { columnTitle, type DataLayout, layOutData, layoutText } from '../data-layout'

export type Check = { title: string; passed: boolean | null; reason: string }
export type Swatch = { hex: string; share: number | null }

export type Content =
  | { shape: 'post'; text: string; hashtags: string[] }
  | { shape: 'ad'; headline: string; body: string; action: string }
  | { shape: 'hashtags'; hashtags: string[] }
  | { shape: 'shots'; title: string; table: DataLayout }
  | { shape: 'checks'; checks: Check[] }
  | { shape: 'palette'; colors: Swatch[] }

type Row = Record<string, unknown>

const READERS: Record<string, (value: unknown) => Content | null> = {
  post: readPost,
  ad: readAd,
  hashtags: readHashtags,
  shot_list: readShots,
  brand_check: readChecks,
  palette: readPalette,
}

/** The content of a value with a declared meaning; null for an unknown meaning, or a value of another form. */
export function contentOf(meaning: string | null | undefined, value: unknown): Content | null {
  if (!meaning || value === null || value === undefined || !Object.hasOwn(READERS, meaning)) return null
  return READERS[meaning]?.(value) ?? null
}

/** The content as text, for the clipboard and for files. */
export function contentText(content: Content): string {
  switch (content.shape) {
    case 'post':
      return [content.text, content.hashtags.join(' ')].filter(Boolean).join('\n\n')
    case 'ad':
      return [content.headline, content.body, content.action].filter(Boolean).join('\n\n')
    case 'hashtags':
      return content.hashtags.join(' ')
    case 'shots':
      return [content.title, layoutText(content.table)].filter(Boolean).join('\n\n')
    case 'checks':
      return content.checks.map(({ title, reason }) => `${title}: ${reason}`).join('\n')
    case 'palette':
      return content.colors.map(({ hex }) => hex).join('\n')
  }
}

const HASHTAG = /#[\p{L}\p{M}\p{N}_]+/gu
const TAGS_AT_END = /(?:^|\s)((?:#[\p{L}\p{M}\p{N}_]+[\s,]*)+)$/u

/** Splits a caption from its closing hashtags. */
export function splitHashtags(text: string): { body: string; hashtags: string[] } {
  const found = TAGS_AT_END.exec(text.trimEnd())
  if (!found) return { body: text, hashtags: [] }
  const hashtags = found[1]?.match(HASHTAG) ?? []
  return { body: text.slice(0, found.index).trimEnd(), hashtags: [...new Set(hashtags)] }
}

function readPost(value: unknown): Content | null {
  const text = typeof value === 'string' ? value : textAt(value, 'caption') || textAt(value, 'text')
  if (!text) return null
  const { body, hashtags } = splitHashtags(text)
  const own = isRow(value) ? texts(value.hashtags) : []
  return { shape: 'post', text: body, hashtags: [...new Set([...hashtags, ...own])] }
}

function readAd(value: unknown): Content | null {
  const [headline, body, action] = ['headline', 'body', 'call_to_action'].map((name) => textAt(value, name))
  return headline ? { shape: 'ad', headline, body: body ?? '', action: action ?? '' } : null
}

function readHashtags(value: unknown): Content | null {
  const found = typeof value === 'string' ? (value.match(HASHTAG) ?? []) : texts(listAt(value, 'hashtags'))
  return found.length > 0 ? { shape: 'hashtags', hashtags: [...new Set(found)] } : null
}

function readShots(value: unknown): Content | null {
  const shots = listAt(value, 'shots')
  if (!Array.isArray(shots) || shots.length === 0 || !shots.every(isRow)) return null
  return { shape: 'shots', title: textAt(value, 'title'), table: layOutData(shots.map(inOrder)) }
}

/** A shot with what the camera sees and does first, and its length last: stored objects have sorted keys. */
function inOrder({ scene, motion, seconds, ...rest }: Row): Row {
  const known = { scene, motion, ...rest, seconds }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}

function readChecks(value: unknown): Content | null {
  const checks = listAt(value, 'checks')
  if (!Array.isArray(checks) || checks.length === 0 || !checks.every(isRow)) return null
  const read = checks.map((check) => ({
    title: columnTitle(textAt(check, 'title')),
    passed: typeof check.passed === 'boolean' ? check.passed : null,
    reason: textAt(check, 'reason'),
  }))
  return { shape: 'checks', checks: read }
}

const HEX = /^#[0-9a-f]{6}$/i

function readPalette(value: unknown): Content | null {
  const colors = listAt(value, 'colours')
  if (!Array.isArray(colors)) return null
  const read = colors.map((color) => ({
    hex: typeof color === 'string' ? color : textAt(color, 'hex'),
    share: isRow(color) && typeof color.share === 'number' ? color.share : null,
  }))
  return read.length > 0 && read.every(({ hex }) => HEX.test(hex)) ? { shape: 'palette', colors: read } : null
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The list itself, or that in a member of an object. */
function listAt(value: unknown, name: string): unknown {
  return isRow(value) ? value[name] : value
}

function textAt(value: unknown, name: string): string {
  const held = isRow(value) ? value[name] : undefined
  return typeof held === 'string' ? held.trim() : ''
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}
