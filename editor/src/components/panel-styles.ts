/** What menus, selects, popovers and comboboxes have in common: the sheet and its rows. */
export const panelClass =
  'z-50 overflow-hidden rounded-m border border-hairline bg-surface text-ink shadow-float data-[state=open]:animate-appear data-[state=closed]:animate-fade-out'

export const panelItemClass =
  // cmdk writes data-disabled="false", Radix leaves the attribute out.
  'relative flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-s px-2.5 py-1.5 text-base outline-none not-data-[disabled=false]:data-disabled:pointer-events-none not-data-[disabled=false]:data-disabled:opacity-50 focus-visible:outline-2 focus-visible:outline-cobalt focus-visible:-outline-offset-2 data-highlighted:bg-sunken data-[selected=true]:bg-sunken [&_svg]:size-4'

/** How far a menu or popover stands from its trigger and from the window's edge. */
export const panelOffset = { sideOffset: 6, collisionPadding: 8 } as const
