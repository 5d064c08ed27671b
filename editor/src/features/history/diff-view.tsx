import { ChevronDown, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Menu, MenuItem } from '@/components/menu'
import type { PublishedVersion } from '@/lib/api/drafts'
import { classes } from '@/lib/classes'
import { nameOf } from './version-names'

type ComparingProps = {
  versions: readonly PublishedVersion[]
  base: string
  other: string
  onOther: (ref: string) => void
  className?: string
}

/** Which two lie on the canvas; the later one can be any other, too. */
export function Comparing({ versions, base, other, onOther, className }: ComparingProps) {
  const { t } = useTranslation('history')
  const rest = ['draft', ...versions.map(({ ref }) => ref)].filter((ref) => ref !== base)
  return (
    <div className={classes('flex min-w-0 items-center gap-2', className)}>
      <span className="text-muted text-xs">{t('comparing')}</span>
      <strong className="min-w-0 truncate font-semibold">{nameOf(base, versions, t)}</strong>
      <ChevronRight aria-hidden className="size-4 flex-none text-muted" />
      <Menu
        className="scrollbar-quiet max-h-72 overflow-y-auto"
        trigger={
          <Button
            size="sm"
            variant="ghost"
            aria-label={t('compareWith', { name: nameOf(other, versions, t) })}
          >
            {nameOf(other, versions, t)}
            <ChevronDown className="text-muted" />
          </Button>
        }
      >
        {rest.map((ref) => (
          <MenuItem key={ref} onSelect={() => onOther(ref)}>
            {nameOf(ref, versions, t)}
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}
