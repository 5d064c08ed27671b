/** Keyboard shortcuts in the notation of menus; `mod` is Command on a Mac and Control elsewhere. */
export const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)

const KEY_SYMBOLS: Readonly<Record<string, string>> = {
  mod: isMac ? '⌘' : 'Ctrl',
  shift: isMac ? '⇧' : 'Shift',
  alt: isMac ? '⌥' : 'Alt',
  enter: 'Enter',
  delete: 'Del',
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
}

/** Formats `mod+shift+z` for display: `⇧⌘Z` or `Ctrl Shift Z`. */
export function formatShortcut(keys: string): string {
  const parts = partsOf(keys).map((key) => KEY_SYMBOLS[key] ?? (key.length === 1 ? key.toUpperCase() : key))
  return parts.join(isMac ? '' : ' ')
}

/** Whether a key press matches the shortcut. */
export function isPressed(event: KeyboardEvent, keys: string): boolean {
  const parts = partsOf(keys)
  const key = parts.at(-1)
  const mod = parts.includes('mod')
  if (mod !== (event.metaKey || event.ctrlKey) || parts.includes('alt') !== event.altKey) return false
  if (key === 'delete') return event.key === 'Delete' || event.key === 'Backspace'
  // The position of these keys, and whether they need Shift, depends on the keyboard layout.
  if (key === '?' || key === '/' || key === '+') return event.key === key
  if (parts.includes('shift') !== event.shiftKey) return false
  // What Shift with a digit types depends on the layout: "!" or "1". The place of the key does not.
  if (key && /^\d$/.test(key) && event.shiftKey && event.code) return event.code === `Digit${key}`
  // A layout of another script types no Latin letters: there the place of the key counts, as in other programs.
  if (key && /^[a-z]$/.test(key) && OTHER_SCRIPT.test(event.key))
    return event.code === `Key${key.toUpperCase()}`
  return event.key.toLowerCase() === key
}

/** One letter that is not Latin. */
const OTHER_SCRIPT = /^(?!\p{Script=Latin})\p{L}$/u

/** Splits at the plus signs between keys, but not at a plus key. */
function partsOf(keys: string): string[] {
  return keys.split(/\+(?=.)/)
}
