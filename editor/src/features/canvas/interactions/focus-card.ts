/** A new card is rendered some frames later, and an open dialog may still be closing. */
const MAX_FRAMES = 90

let requestId = 0

/** Cancels the focus move if the user presses a key or the pointer in the interval. */
function cancelPending() {
  requestId += 1
}
for (const act of ['keydown', 'pointerdown']) window.addEventListener(act, cancelPending, { capture: true })

export function cardIn(root: HTMLElement | null, id: string): HTMLElement | null {
  return root?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`) ?? null
}

/** Moves the focus to a card, as soon as it is rendered and focusable. */
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
