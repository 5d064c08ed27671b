import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { dollars } from '@/lib/format'
import { type Estimate, formatEstimate } from '@/lib/launch/estimate'

type EstimateLineProps = {
  name: string
  estimate: Estimate | null
  stopsAt: string | null
  className?: string
}

/** `Product Launch Kit · about 40 s · $0.31 · by your last 5 runs`, for the current inputs. */
export function EstimateLine({ name, estimate, stopsAt, className }: EstimateLineProps) {
  const { t } = useTranslation('launch')
  const count = estimate?.based_on_runs ?? 0
  const basis = count > 0 ? [t('basedOnRuns', { count })] : []
  const limit = stopsAt === null ? [] : [t('stopAt.short', { amount: dollars(stopsAt) })]
  const rest = [...formatEstimate(estimate), ...basis, ...limit]
  return (
    <output
      className={classes(
        'flex min-w-0 text-muted text-xs tabular-nums max-sm:order-last max-sm:w-full max-sm:px-1.5',
        className,
      )}
    >
      <span className="sr-only">{t('estimate')}: </span>
      <span className="truncate" title={name}>
        {name}
      </span>
      <span className="flex-none">{rest.map((part) => `\u2002·\u2002${part}`)}</span>
    </output>
  )
}
