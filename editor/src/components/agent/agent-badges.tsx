import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { type Kind, typeOfKind } from '@/lib/type-colors'
import { Chip } from '../chip'
import { TypeIcon } from '../type-icon'

export function BetaChip({ id, className }: { id?: string; className?: string }) {
  const { t } = useTranslation('common')
  return (
    <Chip id={id} tone="violet" className={className}>
      <Lock aria-hidden />
      {t('beta')}
    </Chip>
  )
}

type KindIconsProps = {
  kinds: readonly Kind[]
  /** Without their paper squares, where there is no cover under them. */
  bare?: boolean
  className?: string
}

/** What an agent makes, as glyphs on paper squares over its cover, and in words for who can't see them. */
export function KindIcons({ kinds, bare, className }: KindIconsProps) {
  const { t } = useTranslation(['agents', 'common'])
  // Data beside other kinds is how a flow works, not what it is for.
  const shown = kinds.length > 1 ? kinds.filter((kind) => kind !== 'data') : kinds
  return (
    <span className={classes('flex gap-1.5', className)}>
      <span className="sr-only">
        {t('makes', { kinds: shown.map((kind) => t(`common:kind.${kind}`)).join(', ') })}
      </span>
      {shown.map((kind) => (
        <span
          key={kind}
          aria-hidden
          title={t(`common:kind.${kind}`)}
          className={bare ? '' : 'grid size-6 place-items-center rounded-s bg-surface/92'}
        >
          <TypeIcon type={typeOfKind[kind]} className="size-3.25" />
        </span>
      ))}
    </span>
  )
}
