import { useId } from 'react'
import { Checkbox } from '@/components/checkbox'
import { classes } from '@/lib/classes'

type ReasonCardProps = { label: string; picked: boolean; onToggle: () => void }

export function ReasonCard({ label, picked, onToggle }: ReasonCardProps) {
  const id = useId()
  return (
    <label
      htmlFor={id}
      className={classes(
        'flex cursor-pointer items-center gap-3 rounded-[14px] border bg-surface px-4.5 py-4 font-[550] text-md shadow-card transition-colors',
        picked ? 'border-ink' : 'border-hairline hover:border-hairline-strong',
      )}
    >
      <Checkbox id={id} checked={picked} onCheckedChange={onToggle} />
      {label}
    </label>
  )
}
