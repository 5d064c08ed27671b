import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../chip'

export function BetaChip({ className }: { className?: string }) {
  const { t } = useTranslation('common')
  return (
    <Chip tone="violet" className={className}>
      <Lock aria-hidden />
      {t('beta')}
    </Chip>
  )
}
