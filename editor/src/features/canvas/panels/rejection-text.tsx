import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { RejectionReason } from '@/graph/connect'

/** Says that two ports cannot be connected, and why. */
export function RejectionText({ reason }: { reason: RejectionReason }) {
  const { t } = useTranslation('canvas')
  return (
    <div className="min-w-0 flex-1">
      <p className="font-semibold">{t('refusal.title')}</p>
      <p className="mt-0.5 text-muted text-sm">{sentenceOf(reason, t)}</p>
    </div>
  )
}

function sentenceOf(reason: RejectionReason, t: TFunction<'canvas'>): string {
  switch (reason.code) {
    case 'missingPort':
    case 'sameNode':
      return t(`refusal.${reason.code}`)
    case 'cycle':
      return t('refusal.cycle', { source: reason.source, target: reason.target })
    case 'typeMismatch':
    case 'listDepth':
      return t(`refusal.${reason.code}`, { source: reason.source, target: reason.target })
  }
}
