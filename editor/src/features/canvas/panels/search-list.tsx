import { Command as Menu } from 'cmdk'
import type { ReactNode } from 'react'
import { panelItemClass } from '@/components/overlay'

type SearchListProps = {
  /** What is sought in it. */
  label: string
  /** What is said when nothing is found. */
  none: string
  /** Read out with the field, when there is more to know than what is sought. */
  describedBy?: string
  children: ReactNode
}

/** A list that is found by typing; its lines are choices. */
export function SearchList({ label, none, describedBy, children }: SearchListProps) {
  return (
    <Menu label={label} loop>
      <Menu.Input
        autoFocus
        aria-describedby={describedBy}
        placeholder={label}
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

/** One line of a list that is found by typing. */
export function SearchItem({ value, onSelect, icon, aside, children }: SearchItemProps) {
  return (
    <Menu.Item value={value} onSelect={onSelect} className={panelItemClass}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside && <span className="flex-none text-muted text-xs">{aside}</span>}
    </Menu.Item>
  )
}
