import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../chip'

export function BetaChip({ id, className }: { id?: string; className?: string }) {
  const { t } = useTranslation('common')
  return (
    <Chip id={id} tone="violet" className={className}>
      <Lock aria-hidden />
      {t('beta')}
    </Chip>
  )
}
