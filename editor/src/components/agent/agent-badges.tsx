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
  /** Without their backgrounds, where there is no cover behind them. */
  bare?: boolean
  className?: string
}

/** The output types of an agent as icons over its cover, with text for screen readers. */
export function KindIcons({ kinds, bare, className }: KindIconsProps) {
  const { t } = useTranslation(['agents', 'common'])
  // JSON beside other types is an intermediate result, not the purpose of the agent.
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
          className={bare ? '' : 'grid size-6 place-items-center rounded-s bg-surface ring-1 ring-ink/20'}
        >
          <TypeIcon type={typeOfKind[kind]} className="size-3.25" />
        </span>
      ))}
    </span>
  )
}
