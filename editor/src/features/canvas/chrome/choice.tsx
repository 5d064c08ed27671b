import { Command as Menu } from 'cmdk'
import type { ReactNode } from 'react'
import { itemLook } from '@/components/panel'

type ChoiceProps = {
  value: string
  onSelect: () => void
  icon: ReactNode
  aside?: ReactNode
  children: ReactNode
}

/** One line of a list that is found by typing. */
export function Choice({ value, onSelect, icon, aside, children }: ChoiceProps) {
  return (
    <Menu.Item value={value} onSelect={onSelect} className={itemLook}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside && <span className="flex-none text-muted text-xs">{aside}</span>}
    </Menu.Item>
  )
}
