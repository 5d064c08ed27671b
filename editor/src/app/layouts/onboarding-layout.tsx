import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Wordmark } from '@/components/logo'
import { getSession } from '@/lib/api/session'
import { classes } from '@/lib/classes'
import { InsideMain } from '../error-pages'
import '@/lib/i18n/onboarding'

const all = ['company', 'why', 'activate-account'] as const

/** Layout of the onboarding steps: progress and one question. */
export function OnboardingLayout() {
  const { t } = useTranslation('onboarding')
  // Active accounts skip activation. Read once: activating must not change the number of steps during the process.
  const [steps] = useState(() => (getSession() ? all.slice(0, 2) : all))
  const at = useLocation({ select: ({ pathname }) => steps.findIndex((step) => pathname.includes(step)) })
  return (
    <div className="min-h-dvh">
      <header className="flex h-14 items-center px-5">
        <Link to="/" aria-label={t('home')}>
          <Wordmark />
        </Link>
      </header>
      <main className="mx-auto w-full max-w-168 px-4 pb-16">
        <div
          role="progressbar"
          aria-label={t('progress')}
          aria-valuemin={1}
          aria-valuemax={steps.length}
          aria-valuenow={at + 1}
          aria-valuetext={t('step', { at: at + 1, of: steps.length })}
          className="mt-[min(52px,6vh)] flex justify-center gap-2"
        >
          {steps.map((step, index) => (
            <i
              key={step}
              className={classes(
                'h-1 w-11 rounded-pill transition-colors',
                index <= at ? 'bg-ink' : 'bg-hairline-strong',
              )}
            />
          ))}
        </div>
        <div className="pt-[min(64px,7vh)]">
          <InsideMain value>
            <Outlet />
          </InsideMain>
        </div>
      </main>
    </div>
  )
}
