/** Places in JSON text: where a part of the value is written, and where the text stops being JSON. */

/** From the first character to behind the last one. */
export interface Range {
  readonly start: number
  readonly end: number
}

type Path = readonly (string | number)[]

const SPACE = /[ \t\n\r]*/y
const SCALAR =
  /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

/** The text of the part at `path`, or of the nearest part around it that exists. Null for text that is no JSON. */
export function rangeInJson(text: string, path: Path): Range | null {
  const reader = readerOf(text, path)
  const whole = reader.value(0)
  if (!whole || reader.space(whole.end) < text.length) return null
  return reader.found ?? whole
}

/** Where the text stops being JSON; null for JSON. */
export function jsonErrorAt(text: string): number | null {
  const reader = readerOf(text, [])
  const whole = reader.value(0)
  if (!whole) return reader.failedAt
  const end = reader.space(whole.end)
  return end < text.length ? end : null
}

/** The line of a character, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

type Reader = ReturnType<typeof readerOf>

function readerOf(text: string, path: Path) {
  const state = { found: null as Range | null, depth: -1, failedAt: 0 }
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? null
  }
  const fail = (at: number) => {
    state.failedAt = Math.max(state.failedAt, at)
    return null
  }
  return {
    text,
    get found() {
      return state.found
    },
    get failedAt() {
      return state.failedAt
    },
    fail,
    space: (at: number) => at + (match(SPACE, at)?.length ?? 0),
    scalar: (at: number) => {
      const token = match(SCALAR, at)
      return token === null ? fail(at) : { start: at, end: at + token.length }
    },
    /** Reads a value; `matched` steps of the path lead to it, or -1 if it is elsewhere. */
    value(from: number, matched = 0): Range | null {
      const start = this.space(from)
      const opening = text[start]
      const range =
        opening === '{' || opening === '['
          ? members(this as Reader, start, path, matched)
          : this.scalar(start)
      if (range && matched > state.depth) {
        state.depth = matched
        state.found = range
      }
      return range
    },
  }
}

/** Reads an object or a list. */
function members(reader: Reader, start: number, path: Path, matched: number): Range | null {
  const isObject = reader.text[start] === '{'
  const close = isObject ? '}' : ']'
  const wanted = matched < 0 ? undefined : path[matched]
  let at = reader.space(start + 1)
  if (reader.text[at] === close) return { start, end: at + 1 }
  for (let number = 0; ; number += 1) {
    const name = isObject ? memberName(reader, at) : { step: number, end: at }
    const member = name && reader.value(name.end, name.step === wanted ? matched + 1 : -1)
    if (!member) return null
    at = reader.space(member.end)
    if (reader.text[at] === close) return { start, end: at + 1 }
    if (reader.text[at] !== ',') return reader.fail(at)
    at = reader.space(at + 1)
  }
}

/** Reads the name of a member with its colon. */
function memberName(reader: Reader, at: number): { step: string; end: number } | null {
  if (reader.text[at] !== '"') return reader.fail(at)
  const name = reader.scalar(at)
  if (!name) return null
  const colon = reader.space(name.end)
  if (reader.text[colon] !== ':') return reader.fail(colon)
  return { step: JSON.parse(reader.text.slice(name.start, name.end)) as string, end: colon + 1 }
}
