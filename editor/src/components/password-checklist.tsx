import { Check, Circle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { meetsRule, passwordRules } from '@/lib/passwords'
import '@/lib/i18n/auth'

/** The rules of a new password, ticked while typing. */
export function PasswordChecklist({ password }: { password: string }) {
  const { t } = useTranslation('auth')
  return (
    <ul aria-label={t('rules.label')} className="mt-0.5 grid grid-cols-2 gap-x-3.5 gap-y-[5px]">
      {passwordRules.map((rule) => {
        const met = meetsRule(rule, password)
        const Glyph = met ? Check : Circle
        return (
          <li
            key={rule}
            data-met={met}
            className={classes(
              'flex items-center gap-[7px] text-[12.5px] transition-colors',
              met ? 'text-viridian-text' : 'text-faint',
            )}
          >
            <Glyph
              aria-hidden
              className={classes('size-[13px]', met ? '[stroke-width:2.6]!' : 'text-ghost')}
            />
            {t(`rules.${rule}`)}
            <span className="sr-only">{t(met ? 'rules.met' : 'rules.unmet')}</span>
          </li>
        )
      })}
    </ul>
  )
}
