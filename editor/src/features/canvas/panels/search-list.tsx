import { Command as Menu } from 'cmdk'
import type { ReactNode } from 'react'
import { panelItemClass } from '@/components/overlay'

type SearchListProps = {
  /** The accessible name of the field. */
  label: string
  /** The text shown when nothing is found. */
  none: string
  /** An additional description for screen readers. */
  describedBy?: string
  /** How well an option, by its value, fits what was typed: 0 is not at all. Without it, by its letters. */
  filter?: (value: string, query: string) => number
  /** What was typed, if the caller searches itself. */
  query?: string
  onQuery?: (query: string) => void
  children: ReactNode
}

/** A searchable list of options. */
export function SearchList({ label, none, describedBy, filter, query, onQuery, children }: SearchListProps) {
  return (
    <Menu label={label} loop shouldFilter={!onQuery} {...(filter && { filter })}>
      <Menu.Input
        autoFocus
        aria-describedby={describedBy}
        placeholder={label}
        {...(onQuery && { value: query ?? '', onValueChange: onQuery })}
        className="mb-2 h-10 w-full rounded-field border border-hairline-strong bg-surface px-3 focus-visible:field-focus"
      />
      <Menu.List className="scrollbar-quiet max-h-80 overflow-y-auto">
        <Menu.Empty className="px-3 py-6 text-center text-muted">{none}</Menu.Empty>
        {children}
      </Menu.List>
    </Menu>
  )
}

type SearchItemProps = {
  value: string
  onSelect: () => void
  icon: ReactNode
  aside?: ReactNode
  children: ReactNode
}

/** One option of a searchable list. */
export function SearchItem({ value, onSelect, icon, aside, children }: SearchItemProps) {
  return (
    <Menu.Item value={value} onSelect={onSelect} className={panelItemClass}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside && <span className="max-w-1/2 flex-none truncate text-muted text-xs">{aside}</span>}
    </Menu.Item>
  )
}
