import { ChevronDown, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Menu, MenuItem } from '@/components/menu'
import type { PublishedVersion } from '@/lib/api/drafts'
import { classes } from '@/lib/classes'
import { versionName } from './version-names'

type ComparedVersionsProps = {
  versions: readonly PublishedVersion[]
  base: string
  other: string
  onOther: (ref: string) => void
  className?: string
}

/** Which two lie on the canvas; the later one can be any other, too. */
export function ComparedVersions({ versions, base, other, onOther, className }: ComparedVersionsProps) {
  const { t } = useTranslation('history')
  const rest = ['draft', ...versions.map(({ ref }) => ref)].filter((ref) => ref !== base)
  return (
    <div className={classes('flex min-w-0 items-center gap-2', className)}>
      <span className="text-muted text-xs">{t('comparing')}</span>
      <strong className="min-w-0 truncate font-semibold">{versionName(base, versions, t)}</strong>
      <ChevronRight aria-hidden className="size-4 flex-none text-muted" />
      <Menu
        className="scrollbar-quiet max-h-72 overflow-y-auto"
        trigger={
          <Button
            size="sm"
            variant="ghost"
            aria-label={t('compareWith', { name: versionName(other, versions, t) })}
          >
            {versionName(other, versions, t)}
            <ChevronDown className="text-muted" />
          </Button>
        }
      >
        {rest.map((ref) => (
          <MenuItem key={ref} onSelect={() => onOther(ref)}>
            {versionName(ref, versions, t)}
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}
