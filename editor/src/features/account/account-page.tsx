import { useSuspenseQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AccountTabs } from '@/components/account-tabs'
import { Button } from '@/components/button'
import { Progress } from '@/components/progress'
import { Card } from '@/components/surfaces'
import { signOut } from '@/lib/api/identity'
import { currentUserQuery, type Quota } from '@/lib/api/users'
import { useTitle } from '@/lib/browser-hooks'
import { ApiKeys } from './api-keys'
import { ChangePassword } from './change-password'
import { CredentialsName } from './credentials-name'
import { ProfileCard } from './profile-card'
import { ProviderKeys } from './provider-keys'
import { EmailAddress } from './security/email-address'
import { SecondFactors } from './security/second-factors'
import { Sessions } from './security/sessions'
import { Usage } from './usage/usage'
import { VisualStack } from './visual-stack'
import { YourData } from './your-data'

/** The account page: profile, quota, use cases, usage, keys, password, data. */
export function AccountPage() {
  const { t } = useTranslation('account')
  const { data: user } = useSuspenseQuery(currentUserQuery)
  useTitle(t('title'))
  return (
    <div className="mx-auto w-full max-w-228 px-4 pt-6 pb-16 sm:pt-9">
      <h1 className="font-serif text-heading">{t('title')}</h1>
      <AccountTabs />
      <div className="mt-5.5 grid items-start gap-4.5 md:grid-cols-[300px_minmax(0,1fr)]">
        <div className="flex flex-col gap-4.5">
          <ProfileCard user={user} />
          <QuotaCard quota={user.quota} />
          <Button className="w-full" onClick={() => void signOut().catch(() => undefined)}>
            <LogOut />
            {t('logout')}
          </Button>
        </div>
        <div className="flex min-w-0 flex-col gap-4.5">
          <VisualStack />
          <Usage />
          <EmailAddress email={user.email} />
          <ChangePassword />
          <SecondFactors />
          <Sessions />
          <CredentialsName user={user} />
          <ProviderKeys />
          <ApiKeys />
          <YourData />
        </div>
      </div>
    </div>
  )
}

/** The remaining runs of today, and when the quota resets. */
export function QuotaCard({ quota: { limit, used, resets_at } }: { quota: Quota }) {
  const { t } = useTranslation('account')
  const left = Math.max(0, limit - used)
  return (
    <Card className="flex flex-col gap-2.5 p-5.5">
      <div className="flex items-baseline">
        <h2 className="flex-1 font-semibold">{t('today')}</h2>
        <span className="font-mono text-[11.5px] text-muted">{t('left', { left, limit })}</span>
      </div>
      <Progress label={t('runsLeft')} value={limit ? used / limit : 1} />
      <p className="text-muted text-xs">
        {t('used', { count: used, time: new Date(resets_at).toISOString().slice(11, 16) })}
      </p>
    </Card>
  )
}
