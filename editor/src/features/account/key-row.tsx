import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '@/components/icon-button'

type KeyRowProps = {
  name: string
  lastFour: string
  facts: ReactNode
  /** The accessible label of the remove button. */
  removeLabel: string
  onRemove: () => void
}

/** One key, shown by its last four characters. */
export function KeyRow({ name, lastFour, facts, removeLabel, onRemove }: KeyRowProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 border-hairline border-b py-2.5 last:border-0">
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h3 className="truncate font-semibold">{name}</h3>
          <span className="font-mono text-[11.5px] text-muted">•••• {lastFour}</span>
        </div>
        <p className="text-muted text-xs">{facts}</p>
      </div>
      <IconButton label={removeLabel} icon={<Trash2 />} onClick={onRemove} />
    </li>
  )
}
