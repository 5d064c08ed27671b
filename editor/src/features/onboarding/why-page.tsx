import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Checkbox } from '@/components/checkbox'
import { FormError } from '@/components/field'
import { Skeleton } from '@/components/surfaces'
import { messageOf } from '@/lib/api/error'
import { useSignedIn } from '@/lib/api/session'
import { reasonsQuery } from '@/lib/api/users'
import { classes } from '@/lib/classes'
import { answers, completeAnswers, pendingAccount, storeAnswers } from '@/lib/onboarding'
import { returnPath } from '@/lib/return-path'
import { ChoicesError } from './choices-error'
import { QuestionForm } from './question-form'
import '@/lib/i18n/onboarding'

/** Step 2: the reasons for signing up. The last step for an account that is already active. */
export function WhyPage() {
  const { t } = useTranslation('onboarding')
  const reasons = useQuery(reasonsQuery)
  const [picked, setPicked] = useState<string[]>(() => answers.get().reasons ?? [])
  const signedIn = useSignedIn()
  const { finish, failure, busy } = useFinish(signedIn)

  function toggle(reason: string) {
    const now = picked.includes(reason) ? picked.filter((one) => one !== reason) : [...picked, reason]
    setPicked(now)
    answers.add({ reasons: now })
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    void finish(picked)
  }
  return (
    <QuestionForm title={t('why.title')} help={t('why.help')} onSubmit={submit}>
      <fieldset aria-busy={reasons.isPending} className="my-8.5 grid gap-3 sm:grid-cols-2">
        <legend className="sr-only">{t('why.title')}</legend>
        {reasons.isError && <ChoicesError onRetry={() => void reasons.refetch()} />}
        {reasons.isPending &&
          Array.from('abcdef', (place) => <Skeleton key={place} className="h-14 rounded-[14px]" />)}
        {(reasons.data ?? []).map(({ value, label }) => (
          <ReasonCard
            key={value}
            label={label}
            picked={picked.includes(value)}
            onToggle={() => toggle(value)}
          />
        ))}
      </fieldset>
      <FormError title={failure?.title}>{failure?.reason}</FormError>
      <div className="mt-4 flex justify-between">
        <Button variant="ghost" size="lg" asChild>
          <Link to="/onboarding/company" search={true}>
            {t('back', { ns: 'common' })}
          </Link>
        </Button>
        <Button type="submit" variant="primary" size="lg" busy={busy}>
          {signedIn ? t('why.finish') : t('continue', { ns: 'common' })}
        </Button>
      </div>
    </QuestionForm>
  )
}

function useFinish(signedIn: boolean) {
  const { t } = useTranslation('onboarding')
  const navigate = useNavigate()
  const { next } = useSearch({ from: '/onboarding' })
  const [failure, setFailure] = useState<{ title: string; reason?: string } | null>(null)
  const [busy, setBusy] = useState(false)

  async function finish(reasons: string[]): Promise<void> {
    if (reasons.length === 0) return setFailure({ title: t('required.reasons') })
    answers.add({ reasons })
    const info = completeAnswers()
    if (!info) return navigate({ to: '/onboarding/company', search: { next } })
    if (!signedIn)
      return navigate({
        to: pendingAccount.get() ? '/onboarding/activate-account' : '/signup',
        search: { next },
      })
    setBusy(true)
    await storeAnswers(info).then(
      () => navigate({ href: returnPath(next), replace: true }),
      (error) => setFailure({ title: t('why.failed'), reason: messageOf(error) }),
    )
    setBusy(false)
  }
  return { finish, failure, busy }
}

type ReasonCardProps = { label: string; picked: boolean; onToggle: () => void }

export function ReasonCard({ label, picked, onToggle }: ReasonCardProps) {
  const id = useId()
  return (
    <label
      htmlFor={id}
      className={classes(
        'flex cursor-pointer items-center gap-3 rounded-[14px] border bg-surface px-4.5 py-4 font-[550] text-md shadow-card transition-colors',
        picked ? 'border-ink' : 'border-hairline hover:border-hairline-strong',
      )}
    >
      <Checkbox id={id} checked={picked} onCheckedChange={onToggle} />
      {label}
    </label>
  )
}
