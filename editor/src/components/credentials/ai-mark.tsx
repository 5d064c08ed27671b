import { useTranslation } from 'react-i18next'
import type { Asset } from '@/lib/api/assets'
import { classes } from '@/lib/classes'

type AiMarkProps = { made: Asset['ai_made'] | undefined; className?: string }

/** The small mark on files that AI made, wholly or in part; nothing on others. */
export function AiMark({ made, className }: AiMarkProps) {
  const { t } = useTranslation('common')
  if (made !== 'yes' && made !== 'partly') return null
  return (
    <span
      role="img"
      aria-label={t(`aiMark.${made}`)}
      className={classes(
        'pointer-events-none rounded-[6px] bg-[#1d1a16]/78 px-1.5 py-1 font-semibold text-[#fffdf9] text-[11px] leading-none',
        className,
      )}
    >
      {t('aiMark.text')}
    </span>
  )
}
