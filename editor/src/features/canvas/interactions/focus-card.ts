/** A card that was just asked for is drawn a few frames later, and a dialog in front may still be going. */
const MAX_FRAMES = 90

let requestId = 0

/** Whoever acts in the meantime has moved on. */
function cancelPending() {
  requestId += 1
}
for (const act of ['keydown', 'pointerdown']) window.addEventListener(act, cancelPending, { capture: true })

export function cardIn(root: HTMLElement | null, id: string): HTMLElement | null {
  return root?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`) ?? null
}

/** Brings the keyboard to a card: at once, or as soon as it is there and can be reached. */
export function focusCard(
  root: HTMLElement | null,
  id: string,
  { missing, arrived }: { missing: () => void; arrived: (card: HTMLElement) => void },
): void {
  requestId += 1
  const mine = requestId
  const attempt = (left: number) => {
    if (mine !== requestId) return
    const card = cardIn(root, id)
    if (card) card.focus({ preventScroll: true })
    else if (left === MAX_FRAMES - 1) missing()
    if (card && document.activeElement === card) arrived(card)
    else if (left > 0) requestAnimationFrame(() => attempt(left - 1))
  }
  attempt(MAX_FRAMES)
}
