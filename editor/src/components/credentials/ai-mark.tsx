import type { Asset } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import { i18n } from '@/lib/i18n'

type AiMarkProps = { made: Asset['ai_made'] | undefined; className?: string }

/** The small mark on files that AI made, wholly or in part; nothing on others. */
export function AiMark({ made, className }: AiMarkProps) {
  if (made !== 'yes' && made !== 'partly') return null
  return (
    <span
      role="img"
      aria-label={i18n.t(`common:aiMark.${made}`)}
      className={classes(
        'pointer-events-none rounded-[6px] bg-[#1d1a16]/78 px-1.5 py-1 font-semibold text-[#fffdf9] text-[11px] leading-none',
        className,
      )}
    >
      {i18n.t('common:aiMark.text')}
    </span>
  )
}
