import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { dollars } from '@/lib/format'
import type { Launch } from '@/lib/launch/use-launch'
import { Checkbox } from '../checkbox'
import { fieldLook } from '../input'

/** The amount at which the run of this launch stops, and what that means for it. */
export function StopAt({ launch: { budget, estimate } }: { launch: Pick<Launch, 'budget' | 'estimate'> }) {
  const { t } = useTranslation('launch')
  const id = useId()
  const isOver = budget.usd !== null && Number(estimate?.usd ?? 0) > Number(budget.usd)
  return (
    <div className="flex min-w-0 flex-col gap-1.5 text-muted text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id}>{t('stopAt.label')}</label>
        <span className="relative">
          <span aria-hidden className="absolute inset-y-0 left-2.5 grid place-items-center font-mono">
            $
          </span>
          <input
            id={id}
            inputMode="decimal"
            autoComplete="off"
            value={budget.typed}
            placeholder={t('stopAt.none')}
            aria-invalid={!budget.isValid || undefined}
            aria-describedby={`${id}-note`}
            onChange={(event) => budget.change(event.target.value)}
            className={`${fieldLook} h-9 w-28! pr-2 pl-6 font-mono text-sm`}
          />
        </span>
        <span id={`${id}-note`}>{t('stopAt.prices')}</span>
      </div>
      <p role="status" className="text-ochre-text text-xs empty:hidden">
        {!budget.isValid && t('stopAt.invalid')}
        {budget.isValid &&
          isOver &&
          t('stopAt.over', { estimate: dollars(estimate?.usd), budget: dollars(budget.usd) })}
      </p>
      {estimate?.price_unknown && budget.usd !== null && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is the label's control
        <label className="flex items-center gap-2 text-xs">
          <Checkbox
            checked={budget.isUnpricedAllowed}
            onCheckedChange={(checked) => budget.allowUnpriced(checked === true)}
          />
          {t('stopAt.allowUnpriced')}
        </label>
      )}
    </div>
  )
}
