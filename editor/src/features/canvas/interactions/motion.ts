/** How long the view moves, in milliseconds. */
export function animationDuration(): number {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180
}
